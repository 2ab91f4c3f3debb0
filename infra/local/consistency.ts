import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Hash } from 'viem'
import { getScanCursor } from '../../db/event/sale.ts'
import { connect } from '../../db/index.ts'
import { rpc } from './rpc.ts'

/** Parts of the data directory that belong together: both are kept or both are new. */
const ledgerParts = ['postgres', 'postgres.id', 'postgres-password']
const chainParts = ['chain']

/**
 * False when the ledger names a block that the chain does not have: the chain was killed and restarted from
 * its last written state. Payments in the lost blocks no longer exist on the chain.
 */
export async function chainHasLedger(databaseUrl: string, rpcUrl: string): Promise<boolean> {
  const { db, close } = connect(databaseUrl, { max: 1, name: 'blockdraw start' })
  try {
    const cursor = await getScanCursor(db).catch((error) => {
      if (isMissingTable(error)) return undefined // before the first migration
      throw error
    })
    if (!cursor) return true
    const number = `0x${cursor.height.toString(16)}`
    const block = await rpc<{ hash: Hash } | null>(rpcUrl, 'eth_getBlockByNumber', [number, false])
    return block?.hash === cursor.hash
  } finally {
    await close()
  }
}

/** True for a database without a chain, or a chain without a database. */
export function isHalf(dataDir: string): boolean {
  const has = (names: string[]) => names.some((name) => existsSync(join(dataDir, name)))
  return has(ledgerParts.slice(0, 2)) !== has(chainParts)
}

/** Moves database and chain to a dated directory beside them and returns its path. */
export function setAside(dataDir: string, now = new Date()): string {
  const name = `old-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`
  const aside = join(dataDir, name)
  mkdirSync(aside, { recursive: true })
  for (const part of [...ledgerParts, ...chainParts])
    if (existsSync(join(dataDir, part))) renameSync(join(dataDir, part), join(aside, part))
  return aside
}

function isMissingTable(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && at.code === '42P01') return true
  return false
}
