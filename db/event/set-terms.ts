import { eq, sql } from 'drizzle-orm'
import type { EventContent } from '../../core/content/event-content.ts'
import { RaffleError } from '../../core/errors.ts'
import { whyNotOperatorWallet } from '../../core/event/event.ts'
import type { Db } from '../index.ts'
import { events } from '../schema/index.ts'
import { type Event, eventColumns, nextSaleStart } from './events.ts'
import { bumpVersion } from './version.ts'

/** Columns of an event that a form or the environment may set; undefined leaves one alone. */
export type TermsPatch = {
  [Name in Settable]?: Event[Name] | undefined
} & { content?: EventContent | null }
type Settable =
  | 'ticketPrice'
  | 'saleLeadSeconds'
  | 'operatorWallet'
  | 'anchorWallet'
  | 'chainId'
  | 'token'
  | 'autoDraw'
  | 'entropy'
  | 'winners'
  | 'prizes'
  | 'claimDays'
  | 'contentSha256'
  | 'drafted'
  | 'drawDate'
  | 'saleEnd'
  | 'minTickets'
  | 'googleFormUrl'

/**
 * Sets terms of the open event, whoever asks: the one place where they change. The caller holds the event's lock and
 * has looked at the rules. With another wallet or another price the sale begins anew: whoever checks the draw judges all of it by
 * one price; what was paid before keeps the verdict of its time. Returns the event as it is now; triggers list each changed term in `changes` and add a version. Throws INVALID_WALLET.
 */
export async function setTerms(tx: Db, event: Event, patch: TermsPatch): Promise<Event> {
  const changed = Object.entries(patch).filter(
    ([name, value]) => value !== undefined && !(name in event && isSame(value, event[name as Settable])),
  )
  if (changed.length === 0) return event
  const set = Object.fromEntries(changed) as Partial<Pick<typeof events.$inferInsert, Settable | 'content'>>
  const { operatorWallet: wallet, ticketPrice } = set
  const after = { ...event, ...set }
  if (after.operatorWallet && whyNotOperatorWallet(after.operatorWallet, after.token))
    throw new RaffleError(
      'INVALID_WALLET',
      '운영자 지갑은 USDT 컨트랙트, 환불 컨트랙트, 빈 주소일 수 없습니다.',
      {},
      { field: 'operatorWallet' },
    )
  // The anchor wallet's key lies on a server.
  if (after.operatorWallet && after.operatorWallet === after.anchorWallet)
    throw new RaffleError(
      'INVALID_WALLET',
      '지문을 기록하는 서버의 지갑(ANCHOR_KEY)은 운영자 지갑이 될 수 없습니다.',
      {},
      { field: 'operatorWallet' },
    )
  const [updated] = await tx
    .update(events)
    .set({
      ...set,
      ...(wallet && { walletProvenAt: null }),
      ...((wallet || ticketPrice !== undefined) && { saleStart: nextSaleStart, openedAt: null }),
      revision: sql`${events.revision} + 1`,
    })
    .where(eq(events.number, event.number))
    .returning(eventColumns)
  if (updated?.saleEnd && updated.saleEnd <= updated.saleStart && !event.stoppedAt)
    throw dateInPast(updated.saleEnd)
  await bumpVersion(tx)
  return updated as Event
}

export const dateInPast = (saleEnd: Date): RaffleError =>
  new RaffleError(
    'DATE_IN_PAST',
    `The sale would end at ${saleEnd.toISOString()}, which is not in the future.`,
    {},
    { field: 'drawDate' },
  )

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (a instanceof Date && b instanceof Date && a.getTime() === b.getTime())
