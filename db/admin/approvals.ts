import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type AdminAction, type AdminRole, adminRoles, isAtLeast } from '../../core/admin/roles.ts'
import { type AskedCall, approvalHours, secondRole } from '../../core/admin/second-person.ts'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import { admins, approvals, events } from '../schema/index.ts'

/** What a call does, as it needs another one's word: the same values on the same state have the same hash. */
export type Wanted = {
  action: AdminAction
  payloadSha256: string
  before: unknown
  after: unknown
  request: AskedCall
}

/** Open questions of one administrator: a stolen session must not hide its own among a thousand. */
const mostOpen = 30

const asker = alias(admins, 'asker')
const approver = alias(admins, 'approver')

const isOpen = and(
  isNull(approvals.usedAt),
  isNull(approvals.closedAt),
  sql`${approvals.endsAt} > clock_timestamp()`,
) as SQL

/** In office with this role at least, and without a break since he said it. */
const stillSays = (who: typeof asker | typeof approver, at: SQL, least: AdminRole): SQL =>
  sql`${who.disabledAt} is null and ${who.oneTimeUntil} is null
    and ${who.role} = any(${sql.param(adminRoles.filter((role) => isAtLeast(role, least)))}::text[])
    and ${at} > coalesce(${who.wordsFrom}, '-infinity')`

const askerStands = (least: AdminRole) => stillSays(asker, sql`${approvals.askedAt}`, least)
const approverStands = (least: AdminRole) => stillSays(approver, sql`${approvals.approvedAt}`, least)

/**
 * Notes what `askedBy` asks for, and returns its id: of the open question where he has asked the same before. What he
 * asked by the same call on another state is replaced. Throws RATE_LIMITED where too many of his are open.
 */
export async function askApproval(db: Db, askedBy: number, wanted: Wanted): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`blockdraw approvals ${askedBy}`}))`)
    const own = and(eq(approvals.askedBy, askedBy), isOpen)
    const least = secondRole(wanted.action)
    const open = await tx
      .select({
        id: approvals.id,
        action: approvals.action,
        payloadSha256: approvals.payloadSha256,
        isSameCall: sql<boolean>`${approvals.request} = ${JSON.stringify(wanted.request)}::jsonb`,
        isValid: sql<boolean>`${askerStands(least)} and (${approvals.approvedBy} is null or (${approverStands(least)}))`,
      })
      .from(approvals)
      .innerJoin(asker, eq(asker.id, approvals.askedBy))
      .leftJoin(approver, eq(approver.id, approvals.approvedBy))
      .where(own)
    const isAsked = (one: (typeof open)[number]) =>
      one.action === wanted.action && one.payloadSha256 === wanted.payloadSha256 && one.isValid
    const known = open.find(isAsked)
    if (known) return known.id
    // On another state, or with the word of somebody who is no longer in office.
    const stale = open.filter((one) => one.action === wanted.action && one.isSameCall)
    for (const { id } of stale) await closeApproval(tx, id, { by: askedBy, as: 'replaced' })
    if (open.length - stale.length >= mostOpen)
      throw new RaffleError('RATE_LIMITED', '확인을 기다리는 요청이 너무 많습니다. 먼저 철회해주세요.')
    const [made] = await tx
      .insert(approvals)
      .values({
        ...wanted,
        askedBy,
        eventNumber: sql`(select number from ${events} where archived_at is null)`,
        askedAt: sql`now()`,
        endsAt: sql`now() + ${`${approvalHours} hours`}::interval`,
      })
      .returning({ id: approvals.id })
    return (made as { id: number }).id
  })
}

/** Open questions, oldest first, with what each of the two has to be to count. */
export async function listApprovals(db: Db) {
  return db
    .select({
      id: approvals.id,
      action: approvals.action,
      eventNumber: approvals.eventNumber,
      before: approvals.before,
      after: approvals.after,
      request: approvals.request,
      askedById: approvals.askedBy,
      askedBy: asker.username,
      askedAt: approvals.askedAt,
      endsAt: approvals.endsAt,
      approvedBy: approver.username,
      approvedAt: approvals.approvedAt,
    })
    .from(approvals)
    .innerJoin(asker, eq(asker.id, approvals.askedBy))
    .leftJoin(approver, eq(approver.id, approvals.approvedBy))
    .where(isOpen)
    .orderBy(approvals.id)
}

/** An open question, locked. Throws NOT_FOUND. */
export async function lockApproval(tx: Db, id: number) {
  const [found] = await tx
    .select()
    .from(approvals)
    .where(and(eq(approvals.id, id), isOpen))
    .for('update')
  if (!found) throw new RaffleError('NOT_FOUND', '이미 끝났거나 없는 확인 요청입니다.')
  return found
}

/** Another one's word on what is asked. Throws NOT_FOUND, OWN_REQUEST, ALREADY_PROCESSED. */
export async function approve(tx: Db, id: number, by: number) {
  const found = await lockApproval(tx, id)
  if (found.askedBy === by)
    throw new RaffleError('OWN_REQUEST', '자신의 요청은 다른 관리자가 확인해야 합니다.')
  if (found.approvedBy !== null) throw new RaffleError('ALREADY_PROCESSED', '이미 확인된 요청입니다.')
  await tx
    .update(approvals)
    .set({ approvedBy: by, approvedAt: sql`clock_timestamp()` })
    .where(eq(approvals.id, id))
  return found
}

/** Ends an open question without an effect; an approved one too. */
export async function closeApproval(
  tx: Db,
  id: number,
  { by, as }: { by: number; as: 'refused' | 'withdrawn' | 'replaced' },
): Promise<void> {
  await tx
    .update(approvals)
    .set({ closed: as, closedBy: by, closedAt: sql`clock_timestamp()` })
    .where(and(eq(approvals.id, id), isOpen))
}

/**
 * The words that `askedBy` may spend on an action now, locked: both of the two are looked at as they are before the
 * action, which may change them. Spend one of them in the same transaction.
 */
export async function lockWords(tx: Db, askedBy: number, action: AdminAction) {
  const least = secondRole(action)
  return tx
    .select({ id: approvals.id, payloadSha256: approvals.payloadSha256 })
    .from(approvals)
    .innerJoin(asker, eq(asker.id, approvals.askedBy))
    .innerJoin(approver, eq(approver.id, approvals.approvedBy))
    .where(
      and(
        eq(approvals.askedBy, askedBy),
        eq(approvals.action, action),
        isOpen,
        askerStands(least),
        approverStands(least),
      ),
    )
    .orderBy(approvals.id)
    .for('update', { of: approvals })
}

/** Spends a word of `lockWords`: it counts once. */
export async function spendWord(tx: Db, id: number): Promise<void> {
  await tx.update(approvals).set({ usedAt: sql`now()` }).where(eq(approvals.id, id))
}

/** How many could ask or give a word: removed ones and those who never chose a password cannot. */
export async function countVoices(db: Db): Promise<{ owners: number; operators: number }> {
  const rows = await db
    .select({ role: admins.role })
    .from(admins)
    .where(and(isNull(admins.disabledAt), isNull(admins.oneTimeUntil)))
  const atLeast = (least: AdminRole) => rows.filter(({ role }) => isAtLeast(role, least)).length
  return { owners: atLeast('owner'), operators: atLeast('operator') }
}

/**
 * True while nobody else could give any word, now or with the password that he was handed: then a second person can
 * only be brought in by this one. The table is locked, so that it stays true until the transaction ends.
 */
export async function isOnlyVoice(tx: Db, id: number): Promise<boolean> {
  await tx.execute(sql`lock table ${admins} in share row exclusive mode`)
  const [other] = await tx
    .select({ id: admins.id })
    .from(admins)
    .where(
      sql`${admins.id} <> ${id} and ${admins.disabledAt} is null and ${admins.role} <> 'auditor'
        and (${admins.oneTimeUntil} is null or ${admins.oneTimeUntil} > clock_timestamp())`,
    )
    .limit(1)
  return other === undefined
}
