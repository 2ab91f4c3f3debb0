import { type Address, concat, type Hex, keccak256, pad } from 'viem'
import { deployer, register } from '../../../../../core/chain/register.ts'
import { encodeWaive } from '../../../../../core/refund/register-calls.ts'
import type { Eip1193 } from '../../../wallet/eip1193.ts'
import type { Outcome } from './types.ts'
import { callGas, readCode, readNonce, sendTransaction, waitForBlock } from './wallet.ts'

/**
 * What the wallet's own node has at the register's address. `missing`: the deployer can put it there with one
 * signature. `no-deployer`: nobody can. `different`: another code, which is never called.
 */
export type RegisterState = 'ready' | 'missing' | 'no-deployer' | 'different'

export async function readRegister(provider: Eip1193): Promise<RegisterState> {
  const code = await readCode(provider, register.address)
  if (code !== '0x') return keccak256(code) === register.codeHash ? 'ready' : 'different'
  return keccak256(await readCode(provider, deployer.address)) === deployer.codeHash
    ? 'missing'
    : 'no-deployer'
}

/** One signature of anybody puts the register at its address; resolves with what lies there after it. */
export async function deployRegister(
  provider: Eip1193,
  wallet: Address,
  { everyMs = 1_000 } = {},
): Promise<Outcome | RegisterState> {
  if ((await readRegister(provider)) !== 'missing') return readRegister(provider)
  // Loaded only here: the other pages never need the code.
  const { default: made } = await import('../../../../../infra/contracts/raffle-register.json')
  const call = { from: wallet, to: deployer.address, data: concat([pad('0x'), made.bytecode as Hex]) }
  const outcome = await sendWithGas(provider, call)
  if (outcome.kind !== 'sent') return outcome
  await waitForBlock(provider, outcome.hash, { everyMs })
  return readRegister(provider)
}

export type Waiver = { token: Address; debtors: readonly { debtor: Address; total: string }[] }

/** Says on chain that this wallet has nothing more to pay these debtors: another one may then do it. Moves no money. */
export const waive = (
  provider: Eip1193,
  { wallet, token, debtors }: Waiver & { wallet: Address },
): Promise<Outcome> =>
  sendWithGas(provider, {
    from: wallet,
    to: register.address,
    data: encodeWaive(
      token,
      debtors.map(({ debtor, total }) => ({ debtor, total: BigInt(total) })),
    ),
  })

async function sendWithGas(
  provider: Eip1193,
  call: { from: Address; to: Address; data: Hex },
): Promise<Outcome> {
  const gas = await callGas(provider, call)
  if (gas === undefined) return { kind: 'unknown', error: new Error('the call would fail') }
  return sendTransaction(provider, { ...call, gas, nonce: await readNonce(provider, call.from) })
}
