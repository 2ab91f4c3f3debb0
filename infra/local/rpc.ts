import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { concat, type Hash, type Hex, keccak256, numberToHex, pad, parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { deployer, register } from '../../core/chain/register.ts'
import { hasCode } from '../../core/server/time.ts'
import { getScanCursor } from '../../db/event/sale.ts'
import { connect, type Db } from '../../db/index.ts'
import raffleRegister from '../contracts/raffle-register.json' with { type: 'json' }
import { StartProblem } from './child.ts'

export async function rpc<T = unknown>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(30_000),
  })
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** The register where the deployer makes it. The deployer is asked to make it, without a transaction: no
 * nonce is used and no block awaited, as its code is then put at the address that it answers. */
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

/** On the local chain gas costs nothing that anybody has paid for. */
export async function fundKey(rpcUrl: string, key: string): Promise<void> {
  await rpc(rpcUrl, 'anvil_setBalance', [privateKeyToAddress(key as Hex), numberToHex(parseEther('1'))])
}

/** Parts of the data directory that belong together: all are kept or all are new. */
const ledgerAndChain = ['postgres', 'postgres-password', 'chain']

/** False when the ledger names a block that the chain does not have: the chain was killed and restarted from
 * its last written state. Payments in the lost blocks no longer exist on the chain. */
export async function chainHasLedger(databaseUrl: string, rpcUrl: string): Promise<boolean> {
  const cursor = await onDatabase(databaseUrl, getScanCursor).catch((error) => {
    if (hasCode(error, '42P01')) return undefined // before the first migration
    throw error
  })
  if (!cursor) return true
  const number = `0x${cursor.height.toString(16)}`
  const block = await rpc<{ hash: Hash } | null>(rpcUrl, 'eth_getBlockByNumber', [number, false])
  return block?.hash === cursor.hash
}

/** What `act` finds there, by a connection of its own. */
export async function onDatabase<T>(url: string, act: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = connect(url, { max: 1, name: 'blockdraw start' })
  return act(db).finally(close)
}

/** True for a database without a chain, or a chain without a database. */
export const isHalf = (dataDir: string): boolean =>
  existsSync(join(dataDir, 'postgres')) !== existsSync(join(dataDir, 'chain'))

/** Moves database and chain to a dated directory beside them and returns its path. */
export function setAside(dataDir: string, now = new Date()): string {
  const name = `old-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`
  const aside = join(dataDir, name)
  mkdirSync(aside, { recursive: true })
  for (const part of ledgerAndChain)
    if (existsSync(join(dataDir, part))) renameSync(join(dataDir, part), join(aside, part))
  return aside
}
