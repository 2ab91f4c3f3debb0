import { and, count, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { SetupStep } from '../../core/admin/setup.ts'
import type { ChainHealth } from '../../core/chain/chain-health.ts'
import type { EventContent } from '../../core/content/event-content.ts'
import { isFirstContent } from '../../core/content/first-event.ts'
import { anchorsLeft, fewAnchors } from '../../core/draw/anchor.ts'
import { providerOf } from '../../core/server/witnesses.ts'
import { readAnchorKey } from '../draw/anchors.ts'
import { type Db, type Filter, fitting, versionOf } from '../index.ts'
import { admins, audit, settings, uploads } from '../schema/index.ts'

export type SecuritySettings = { requireOtp: boolean; allowedIps: string[] }

export async function getSettings(db: Db, lock = false): Promise<SecuritySettings> {
  const { requireOtp, allowedIps } = settings
  const found = db.select({ requireOtp, allowedIps }).from(settings)
  const [row] = await (lock ? found.for('update') : found)
  return row as SecuritySettings
}

export const settingsVersion = ({ requireOtp, allowedIps }: SecuritySettings): string =>
  versionOf([requireOtp, allowedIps])

export async function saveSettings(tx: Db, changed: Partial<SecuritySettings>): Promise<void> {
  await tx.update(settings).set(changed)
}

/** A worker tells of its endpoints several times a minute, and of its key at least once an hour. */
const chainSeconds = 180
const keySeconds = 7_200
const fewestProviders = 2

type Setup = { isFirst: boolean; isDone: Record<SetupStep, boolean> }

export async function readSetup(db: Db, adminId: number): Promise<Setup> {
  const [admin] = await db.execute<{ password: boolean; otp: boolean }>(sql`
    select one_time_until is null as password,
      otp_confirmed_at is not null or exists (select from passkeys where admin_id = admins.id) as otp
    from admins where id = ${adminId}`)
  const [event] = await db.execute<{
    first: boolean
    wallet: boolean
    locked: boolean
    content: EventContent | null
    next: boolean
  }>(sql`
    select e.number = 1 as first, e.operator_wallet is not null and e.wallet_proven_at is not null as wallet,
      e.locked_at is not null as locked, e.content, s.content is not null as next
    from events e, settings s where e.archived_at is null`)
  const { allowedIps } = await getSettings(db)
  // From the first ticket on nobody can write the open event's content: then it is the next one's that counts.
  const isWritten = (event?.content && !isFirstContent(event.content)) || (event?.next && event.locked)
  const isDone = {
    ...{ password: admin?.password ?? false, otp: admin?.otp ?? false, addresses: allowedIps.length > 0 },
    ...{ wallet: event?.wallet ?? false, content: !!isWritten },
    providers: await hearsTwoProviders(db),
    anchor: await canAnchor(db),
    ...(await whatWasSeen(db)),
  }
  return { isFirst: event?.first ?? true, isDone }
}

async function hearsTwoProviders(db: Db): Promise<boolean> {
  const [report] = await db.execute<{ facts: ChainHealth }>(sql`
    select facts from reports where name = 'chain' and at > now() - ${`${chainSeconds} seconds`}::interval`)
  if (!report || report.facts.isUnsafe) return false
  const answering = report.facts.endpoints.filter(({ state }) => state === 'ok')
  return new Set(answering.map(({ host }) => providerOf(host))).size >= fewestProviders
}

async function canAnchor(db: Db): Promise<boolean> {
  const key = await readAnchorKey(db)
  if (!key || key.secondsAgo > keySeconds || key.facts.register !== 'there') return false
  return anchorsLeft(key.facts) >= fewAnchors
}

async function whatWasSeen(db: Db): Promise<{ backup: boolean; alert: boolean }> {
  const [seen] = await db.execute<{ backup: boolean; alert: boolean }>(sql`
    select exists (select from notifications where kind = 'backup_made'
        and (facts ->> 'madeAt')::timestamptz > now() - interval '3 days') as backup,
      exists (select from deliveries d join channels c on c.id = d.channel_id
        where d.state = 'sent' and c.removed_at is null) as alert`)
  return seen as NonNullable<typeof seen>
}

export type AuditRow = Omit<typeof audit.$inferInsert, 'id' | 'at'>

/** Adds a row to the audit list. Number and moment are the database's: no program may choose them. */
export async function addAudit(db: Db, row: AuditRow): Promise<void> {
  await db.execute(sql`
    insert into ${audit} (actor, client_address, action, outcome, before, after, request_id)
    select actor, "clientAddress", action, outcome, before, after, "requestId"
    from jsonb_to_recordset(${JSON.stringify([row])}::jsonb) as row (
      actor text, "clientAddress" text, action text, outcome text, before jsonb, after jsonb, "requestId" text
    )`)
}

type AuditFilter = Filter<typeof audit.$inferSelect, 'action' | 'actor' | 'outcome'>

const { id, action, actor, outcome } = audit

/** Newest first, at most `limit`; the next page starts at the id of the last row. */
export async function listAudit(db: Db, filter: AuditFilter, limit = 100) {
  const rows = await db
    .select()
    .from(audit)
    .where(fitting({ id, action, actor, outcome }, filter))
    .orderBy(desc(audit.id))
    .limit(limit)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

type NewUpload = Pick<typeof uploads.$inferInsert, 'key' | 'adminId' | 'clientAddress'>

export async function countUploads(db: Db, clientAddress: string): Promise<number> {
  const [row] = await db
    .select({ asked: count() })
    .from(uploads)
    .where(
      and(eq(uploads.clientAddress, clientAddress), gt(uploads.createdAt, sql`now() - interval '1 day'`)),
    )
  return row?.asked ?? 0
}

export async function addUpload(db: Db, upload: NewUpload): Promise<void> {
  await db.insert(uploads).values(upload)
}

/** Spends the one use of an upload and returns its owner; undefined when it was spent before. */
export async function spendUpload(db: Db, key: string): Promise<{ username: string } | undefined> {
  const [spent] = await db
    .update(uploads)
    .set({ usedAt: sql`now()` })
    .where(and(eq(uploads.key, key), isNull(uploads.usedAt)))
    .returning({ adminId: uploads.adminId })
  if (!spent) return undefined
  const [owner] = await db
    .select({ username: admins.username })
    .from(admins)
    .where(eq(admins.id, spent.adminId))
  return owner
}
