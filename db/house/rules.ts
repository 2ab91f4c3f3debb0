import { asc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import {
  type LegalKind,
  type LegalText,
  type LegalVersion,
  legalSha256,
  type PublicRules,
} from '../../core/house/rules.ts'
import { bumpVersion } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { legalTexts, settings } from '../schema/index.ts'

type Row = typeof settings.$inferSelect
export type HouseRules = Pick<Row, 'minAge' | 'requireAcceptance' | 'closedCountries' | 'revision'> &
  Record<LegalKind, (LegalText & LegalVersion) | null>
/** What is left out stays; null takes a text down, whose versions remain. */
export type HouseRulesPatch = Partial<
  Pick<Row, 'minAge' | 'requireAcceptance' | 'closedCountries'> &
    Record<LegalKind, Pick<LegalText, 'en' | 'ko'> | null>
>

async function mustHaveRow(db: Db, lock = false): Promise<Row> {
  const found = db.select().from(settings).where(eq(settings.id, 1))
  const [row] = await (lock ? found.for('update') : found)
  return row as Row
}

export async function getHouseRules(db: Db): Promise<HouseRules> {
  const row = await mustHaveRow(db)
  const { minAge, requireAcceptance, closedCountries, revision, termsSha256, privacySha256 } = row
  return {
    ...{ minAge, requireAcceptance, closedCountries, revision },
    terms: await getLegalText(db, termsSha256),
    privacy: await getLegalText(db, privacySha256),
  }
}

/** What visitors are told; read at every change of the public state, so without the texts themselves. */
export async function loadPublicRules(db: Db): Promise<PublicRules> {
  const { minAge, requireAcceptance, closedCountries } = settings
  const [row] = await db
    .select({
      ...{ minAge, requireAcceptance, closedCountries },
      ...{ termsSha256: settings.termsSha256, termsAt: terms.savedAt },
      ...{ privacySha256: settings.privacySha256, privacyAt: privacy.savedAt },
    })
    .from(settings)
    .leftJoin(terms, eq(terms.sha256, settings.termsSha256))
    .leftJoin(privacy, eq(privacy.sha256, settings.privacySha256))
  const { termsSha256, termsAt, privacySha256, privacyAt, ...switches } = row as NonNullable<typeof row>
  return {
    ...switches,
    terms: termsSha256 && termsAt && { sha256: termsSha256, savedAt: termsAt.toISOString() },
    privacy: privacySha256 && privacyAt && { sha256: privacySha256, savedAt: privacyAt.toISOString() },
  }
}
const terms = alias(legalTexts, 'terms')
const privacy = alias(legalTexts, 'privacy')

/** They hold for what is bought next. Throws VERSION_CONFLICT, INVALID_VALUE for an acceptance of terms that do not exist. */
export async function updateHouseRules(
  tx: Db,
  { terms, privacy, ...switches }: HouseRulesPatch,
  revision: number,
): Promise<{ before: HouseRules; after: HouseRules }> {
  const row = await mustHaveRow(tx, true)
  if (row.revision !== revision) throw new RaffleError('VERSION_CONFLICT')
  const before = await getHouseRules(tx)
  const changed = {
    ...switches,
    ...(terms !== undefined && {
      termsSha256: terms && (await saveLegalText(tx, { kind: 'terms', ...terms })),
    }),
    ...(privacy !== undefined && {
      privacySha256: privacy && (await saveLegalText(tx, { kind: 'privacy', ...privacy })),
    }),
  }
  const next = { ...row, ...changed }
  if (next.requireAcceptance && next.termsSha256 === null)
    throw new RaffleError('INVALID_VALUE', { reason: 'terms', field: 'requireAcceptance' })
  await tx.update(settings).set({ ...changed, revision: sql`${settings.revision} + 1` })
  await bumpVersion(tx)
  return { before, after: await getHouseRules(tx) }
}

/** Returns its name; one that was saved before is the same version again. @internal */
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

export async function listLegalVersions(db: Db): Promise<(LegalVersion & { kind: LegalKind })[]> {
  const { kind, sha256, savedAt } = legalTexts
  const rows = await db.select({ kind, sha256, savedAt }).from(legalTexts).orderBy(asc(savedAt), asc(sha256))
  return rows.map((row) => ({ ...row, savedAt: row.savedAt.toISOString() }))
}
