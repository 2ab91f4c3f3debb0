import { concat, type Hex, keccak256, pad } from 'viem'
import { deployer, register } from '../../core/chain/register.ts'
import raffleRegister from '../contracts/raffle-register.json' with { type: 'json' }
import { StartProblem } from './problem.ts'
import { rpc } from './rpc.ts'

/**
 * The register where the deployer makes it. The deployer is asked to make it, without a transaction: no nonce is used
 * and no block awaited, as its code is then put at the address that it answers.
 */
export async function putRegister(url: string): Promise<void> {
  const codeAt = (address: Hex) => rpc<Hex>(url, 'eth_getCode', [address, 'latest'])
  if (keccak256(await codeAt(deployer.address)) !== deployer.codeHash)
    throw new StartProblem(`The local chain has another contract than the deployer at ${deployer.address}.`)
  if ((await codeAt(register.address)) === '0x') {
    const data = concat([pad('0x'), raffleRegister.bytecode as Hex])
    const made = await rpc<Hex>(url, 'eth_call', [{ to: deployer.address, data }, 'latest'])
    await rpc(url, 'anvil_setCode', [made, raffleRegister.deployedBytecode])
  }
  if (keccak256(await codeAt(register.address)) !== register.codeHash)
    throw new StartProblem(`The local chain has another contract than the register at ${register.address}.`)
}
