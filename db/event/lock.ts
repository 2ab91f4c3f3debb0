import { and, asc, desc, eq, gt, sql } from 'drizzle-orm'
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

/** Locks the version of the terms that one of its two wallets has anchored. Anybody else's anchor locks nothing. */
export async function lockAnchored(
  tx: Db,
  { eventNumber, wallet, commitment, blockTime }: FoundAnchor,
): Promise<void> {
  const [version] = await tx
    .select({ since: termsVersions.since, line: termsVersions.line })
    .from(termsVersions)
    .where(and(eq(termsVersions.eventNumber, eventNumber), eq(termsVersions.sha256, commitment)))
    .orderBy(desc(termsVersions.since))
    .limit(1)
  const { operatorWallet, anchorWallet } = (version && parseTerms(version.line)) ?? {}
  if (!version || (wallet !== operatorWallet && wallet !== anchorWallet)) return
  const [next] = await tx
    .select({ since: termsVersions.since })
    .from(termsVersions)
    .where(and(eq(termsVersions.eventNumber, eventNumber), gt(termsVersions.since, version.since)))
    .orderBy(asc(termsVersions.since))
    .limit(1)
  // It may be mined after the terms have changed, or before their second has come.
  const isInForce = version.since <= blockTime && !(next && next.since <= blockTime)
  await lockTerms(tx, eventNumber, isInForce ? blockTime : version.since)
}
