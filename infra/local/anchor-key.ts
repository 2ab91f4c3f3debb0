import { type Hex, numberToHex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { rpc } from './rpc.ts'

export const newKey = generatePrivateKey

/** On the local chain gas costs nothing that anybody has paid for. */
export async function fundKey(rpcUrl: string, key: string): Promise<void> {
  await rpc(rpcUrl, 'anvil_setBalance', [privateKeyToAddress(key as Hex), numberToHex(parseEther('1'))])
}
