import { and, desc, eq, lte, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { parseTerms } from '../../core/event/terms.ts'
import type { Db } from '../index.ts'
import { termsVersions } from '../schema/index.ts'
import { addChange } from './changes.ts'
import { bumpVersion } from './version.ts'

/**
 * Locks the terms that were in force at `at`, the block time of the first ticket or of the anchor of the terms, and takes back
 * what was set since. True if this call did it: once locked they stay, whatever is rewound. The caller holds the event's lock.
 */
export async function lockTerms(tx: Db, eventNumber: number, at: Date): Promise<boolean> {
  const line = () =>
    tx.execute<{ line: string }>(
      sql`select terms_line(e) as line from events e where number = ${eventNumber}`,
    )
  const [before] = await line()
  const [row] = await tx.execute<{ locked: boolean }>(
    sql`select lock_terms(${eventNumber}::int, ${at.toISOString()}::timestamptz) as locked`,
  )
  if (!row?.locked) return false
  const [after] = await line()
  if (before?.line !== after?.line) await addChange(tx, eventNumber, 'terms', null, 'takenBack')
  await bumpVersion(tx)
  return true
}

type FoundAnchor = { eventNumber: number; wallet: Address; commitment: Hex; blockTime: Date }

/** Locks the terms in force at the anchor's block time, where one of their two wallets has anchored them; any other anchor locks nothing. */
export async function lockAnchored(
  tx: Db,
  { eventNumber, wallet, commitment, blockTime }: FoundAnchor,
): Promise<void> {
  const [version] = await tx
    .select({ sha256: termsVersions.sha256, line: termsVersions.line })
    .from(termsVersions)
    .where(and(eq(termsVersions.eventNumber, eventNumber), lte(termsVersions.since, blockTime)))
    .orderBy(desc(termsVersions.since))
    .limit(1)
  // The key of a wallet that was replaced must not bring its terms back.
  if (version?.sha256 !== commitment) return
  const { operatorWallet, anchorWallet } = parseTerms(version.line) ?? {}
  if (wallet === operatorWallet || wallet === anchorWallet) await lockTerms(tx, eventNumber, blockTime)
}
