import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Hash, Hex } from 'viem'
import type { Acceptance } from '../../core/house/rules.ts'
import type { Db } from '../index.ts'
import { claims, legalTexts } from '../schema/index.ts'

/**
 * Keeps what a buyer accepted beside his claim: the first word that names anything. Versions that never were are left out. A hint,
 * which decides nothing.
 */
export async function noteAcceptance(
  db: Db,
  transactionHash: Hash,
  { termsSha256, privacySha256, age }: Acceptance,
): Promise<void> {
  const named = [termsSha256, privacySha256].filter((one): one is Hex => one !== undefined)
  const found =
    named.length === 0
      ? []
      : await db
          .select({ kind: legalTexts.kind, sha256: legalTexts.sha256 })
          .from(legalTexts)
          .where(inArray(legalTexts.sha256, named))
  const is = (kind: string, sha256: Hex | undefined) =>
    found.some((one) => one.kind === kind && one.sha256 === sha256)
  const accepted = {
    ...(is('terms', termsSha256) && { termsSha256 }),
    ...(is('privacy', privacySha256) && { privacySha256 }),
    ...(age !== undefined && { age }),
  } as Acceptance
  if (Object.keys(accepted).length === 0) return
  await db
    .update(claims)
    .set({ accepted: { ...accepted, at: new Date().toISOString() } })
    .where(and(eq(claims.transactionHash, transactionHash), isNull(claims.accepted)))
}
