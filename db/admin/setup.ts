import { sql } from 'drizzle-orm'
import type { SetupStep } from '../../core/admin/setup.ts'
import type { ChainHealth } from '../../core/chain/chain-health.ts'
import type { EventContent } from '../../core/content/event-content.ts'
import { isFirstContent } from '../../core/content/first-event.ts'
import { anchorsLeft, fewAnchors } from '../../core/draw/anchor-key.ts'
import { providerOf } from '../../core/server/witnesses.ts'
import type { Db } from '../index.ts'
import { readAnchorKey } from '../report/reports.ts'
import { getSettings } from './settings.ts'

/** A worker tells of its endpoints several times a minute, and of its key at least once an hour. */
const chainSeconds = 180
const keySeconds = 7_200
const fewestProviders = 2

/** What of the first set-up is done, for this administrator; each by the facts themselves. */
export async function readSetup(db: Db, adminId: number): Promise<Record<SetupStep, boolean>> {
  const [admin] = await db.execute<{ password: boolean; otp: boolean }>(sql`
    select one_time_until is null as password,
      otp_confirmed_at is not null or exists (select from passkeys where admin_id = admins.id) as otp
    from admins where id = ${adminId}`)
  const [event] = await db.execute<{
    wallet: boolean
    date: boolean
    locked: boolean
    content: EventContent | null
    next: boolean
  }>(sql`
    select e.operator_wallet is not null and e.wallet_proven_at is not null as wallet, e.draw_date is not null as date,
      e.locked_at is not null as locked, e.content, d.content is not null as next
    from events e, terms_draft d where e.archived_at is null`)
  const { allowedIps } = await getSettings(db)
  // From the first ticket on nobody can write the open event's content: then it is the next one's that counts.
  const isWritten = (event?.content && !isFirstContent(event.content)) || (event?.next && event.locked)
  return {
    ...{ password: admin?.password ?? false, otp: admin?.otp ?? false, addresses: allowedIps.length > 0 },
    ...{ wallet: event?.wallet ?? false, content: isWritten ?? false, date: event?.date ?? false },
    providers: await hearsTwoProviders(db),
    anchor: await canAnchor(db),
    ...(await whatWasSeen(db)),
  }
}

/** Endpoints of two providers answer the worker. */
async function hearsTwoProviders(db: Db): Promise<boolean> {
  const [report] = await db.execute<{ facts: ChainHealth }>(sql`
    select facts from reports where name = 'chain' and at > now() - ${`${chainSeconds} seconds`}::interval`)
  if (!report || report.facts.isUnsafe) return false
  const answering = report.facts.endpoints.filter(({ state }) => state === 'ok')
  return new Set(answering.map(({ host }) => providerOf(host))).size >= fewestProviders
}

/** The worker has a key whose gas lasts for a while, and its contract is there. */
async function canAnchor(db: Db): Promise<boolean> {
  const key = await readAnchorKey(db)
  if (!key || key.secondsAgo > keySeconds || key.facts.register !== 'there') return false
  return anchorsLeft(key.facts) >= fewAnchors
}

/** A backup of these days, and a message that has reached somebody who is still told. */
async function whatWasSeen(db: Db): Promise<{ backup: boolean; alert: boolean }> {
  const [seen] = await db.execute<{ backup: boolean; alert: boolean }>(sql`
    select exists (select from notifications where kind = 'backup_made'
        and (facts ->> 'madeAt')::timestamptz > now() - interval '3 days') as backup,
      exists (select from deliveries d join channels c on c.id = d.channel_id
        where d.state = 'sent' and c.removed_at is null) as alert`)
  return seen ?? { backup: false, alert: false }
}
