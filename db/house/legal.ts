import { asc, eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import { legalSha256 } from '../../core/house/legal.ts'
import type { LegalKind, LegalText, LegalVersion } from '../../core/house/rules.ts'
import type { Db } from '../index.ts'
import { legalTexts } from '../schema/index.ts'

/** Keeps a version and returns its name; one that was saved before is the same version again. */
export async function saveLegalText(tx: Db, { kind, en, ko }: LegalText): Promise<Hex> {
  const sha256 = legalSha256({ kind, en, ko })
  await tx.insert(legalTexts).values({ sha256, kind, en, ko }).onConflictDoNothing()
  return sha256
}

export async function getLegalText(db: Db, sha256: Hex | null): Promise<(LegalText & LegalVersion) | null> {
  if (sha256 === null) return null
  const [row] = await db.select().from(legalTexts).where(eq(legalTexts.sha256, sha256))
  return row ? { ...row, savedAt: row.savedAt.toISOString() } : null
}

/** All versions, the oldest first. */
export async function listLegalVersions(db: Db): Promise<(LegalVersion & { kind: LegalKind })[]> {
  const { kind, sha256, savedAt } = legalTexts
  const rows = await db.select({ kind, sha256, savedAt }).from(legalTexts).orderBy(asc(savedAt), asc(sha256))
  return rows.map((row) => ({ ...row, savedAt: row.savedAt.toISOString() }))
}
