import { type Address, type Hash, keccak256, pad, toHex } from 'viem'
import { usdtOnBsc } from '../../core/chain/register.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { sendMined } from './chain-verbs.ts'
import { transferData, usdtGas, usdtUnits } from './usdt.ts'

/** A transfer of USDT to the operator by hand, past the page; answers once it is in a block. */
export const payByHand = (rpcUrl: string, from: Address, usdt: number, token = usdtOnBsc): Promise<Hash> =>
  sendMined(rpcUrl, {
    from,
    to: token,
    data: transferData(operatorAccount, usdtUnits(usdt)),
    gas: usdtGas,
  })

const fakeToken: Address = '0x00000000000000000000000000000000000beef5'

/** A token that looks like USDT to the byte, at another address; the payer holds some. */
export async function payWithFakeToken(rpcUrl: string, from: Address): Promise<Hash> {
  const code = await rpc(rpcUrl, 'eth_getCode', [usdtOnBsc, 'latest'])
  await rpc(rpcUrl, 'anvil_setCode', [fakeToken, code])
  const balance = keccak256(`${pad(from)}${'0'.repeat(64)}`)
  await rpc(rpcUrl, 'anvil_setStorageAt', [fakeToken, balance, toHex(10n ** 24n, { size: 32 })])
  return payByHand(rpcUrl, from, 30, fakeToken)
}
