import { eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { type Address, isAddressEqual } from 'viem'
import type { EventContent } from '../../core/content/event-content.ts'
import { firstEventContent } from '../../core/content/first-event.ts'
import { termsOfContent } from '../../core/content/follows.ts'
import { contentSha256 } from '../../core/content/promised.ts'
import { RaffleError } from '../../core/errors.ts'
import type { Entropy } from '../../core/event/event.ts'
import { EnvError } from '../../core/server/env.ts'
import type { Db } from '../index.ts'
import { events, operatorWallets } from '../schema/index.ts'
import { isShut } from './sale.ts'
import { getBook, setTerms, type TermsPatch } from './terms.ts'
import { hasEnded, newestMoment } from './update.ts'

/** The row, and since when its money goes back by its ending; null for an event that has none, or was drawn. */
export type Event = Omit<typeof events.$inferSelect, 'content'> & { refundModeAt: Date | null }
const { content: _, ...shortColumns } = getTableColumns(events)
/** Without the content, which is long and rarely asked for. */
export const eventColumns = {
  ...shortColumns,
  refundModeAt:
    sql<Date | null>`(select ending.at from endings ending where ending.event_number = events.number and ending.kind = 'refunds')`.mapWith(
      events.saleStart,
    ),
}

/** Terms of the next sale that come from the environment; `entropy` is the first event's alone. */
export type EnvTerms = {
  ticketPrice: bigint
  saleLeadSeconds: number
  operatorWallet: Address | undefined
  chainId: number
  usdtAddress: Address
  autoDraw: boolean
  claimDays: number
  entropy: Entropy
}

/** The event on sale, drawn or refunded now; undefined before the first. */
export async function getOpenEvent(db: Db): Promise<Event | undefined> {
  const [event] = await db.select(eventColumns).from(events).where(isNull(events.archivedAt))
  return event
}

/** Any event, also an archived one. */
export async function getEvent(db: Db, number: number): Promise<Event | undefined> {
  const [event] = await db.select(eventColumns).from(events).where(eq(events.number, number))
  return event
}

/**
 * As getOpenEvent, and locks the row: no other transaction changes it or folds payments into it until this
 * one ends. Always the first lock of a transaction, so two never deadlock.
 */
export async function lockOpenEvent(tx: Db): Promise<Event | undefined> {
  do {
    const [event] = await tx.select().from(events).where(isNull(events.archivedAt)).for('update')
    // Asked again: an ending that was committed while this call waited is seen only by a question that begins later.
    if (event) return getEvent(tx, event.number)
    // The event was archived while this call waited for its row: the next one is open by now.
  } while (await getOpenEvent(tx))
  return undefined
}

/** As getOpenEvent; throws DB_UNAVAILABLE before the first event. */
export const mustHaveEvent = async (db: Db): Promise<Event> => (await getOpenEvent(db)) ?? noEvent()

/** As lockOpenEvent; throws DB_UNAVAILABLE before the first event. */
export const mustLockEvent = async (tx: Db): Promise<Event> => (await lockOpenEvent(tx)) ?? noEvent()

const noEvent = (): never => {
  throw new RaffleError('DB_UNAVAILABLE', 'No event has been opened yet.')
}

/**
 * Event 1 with the minimum of 100 (docs/spec.md). Undefined when there is an open event already.
 * @internal
 */
export async function openFirstEvent(
  db: Db,
  terms: EnvTerms,
  content?: EventContent,
): Promise<Event | undefined> {
  return db.transaction(async (tx) => {
    if (await getOpenEvent(tx)) return undefined
    const fromEnv = termsFromEnv(terms)
    const [event] = await tx
      .insert(events)
      .values({
        ...{ number: 1, ...fromEnv, entropy: terms.entropy, minTickets: 100, saleStart: nextSaleStart },
        ...(content && { content, contentSha256: contentSha256(content), ...termsOfContent(content) }),
      })
      .onConflictDoNothing()
      .returning(eventColumns)
    return event
  })
}

/** The environment as the columns of a new event. */
export const termsFromEnv = (terms: EnvTerms) => ({
  ticketPrice: terms.ticketPrice,
  saleLeadSeconds: terms.saleLeadSeconds,
  operatorWallet: (terms.operatorWallet?.toLowerCase() as Address | undefined) ?? null,
  chainId: terms.chainId,
  token: terms.usdtAddress.toLowerCase() as Address,
  autoDraw: terms.autoDraw,
  claimDays: terms.claimDays,
})

/** Wallets to which tickets are or were paid: what comes to them is the raffle's, what they send is watched. */
export async function getSaleWallets(db: Db): Promise<Address[]> {
  const rows = await db.select({ address: operatorWallets.address }).from(operatorWallets)
  return rows.map((row) => row.address)
}

/**
 * After the database's clock and the newest block seen, in whole seconds: no seen block changes its event. The clock, not
 * the begin of the transaction, which may have waited long for the event's lock.
 */
export const nextSaleStart = sql<Date>`next_moment()`

/**
 * Opens the first event, or applies a changed environment to the running one, in one transaction under its lock. Once its terms
 * are locked, or its sale has ended, the environment is for the next event: returns the variables that say something else. What
 * a draft chose for the event stays. `localWallet` is for a first event without OPERATOR_WALLET. With `vars` only variables that
 * are set there change a running event. Throws EnvError for another chain or token than the book's.
 */
export async function applyEnvironment(
  db: Db,
  environment: EnvTerms,
  localWallet: Address | undefined,
  vars?: Vars,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event) {
      const operatorWallet = environment.operatorWallet ?? localWallet
      await openFirstEvent(tx, { ...environment, operatorWallet }, firstEventContent)
      return []
    }
    if (await isShut(tx)) return []
    const terms = vars ? onlySet(environment, event, vars) : environment
    if (await getBook(tx)) refuseOtherChain(event, terms)
    const { operatorWallet, saleLeadSeconds, ...others } = termsFromEnv(terms)
    const notDrafted = Object.entries(others).filter(([name]) => !event.drafted.includes(name))
    const wanted: TermsPatch = {
      ...Object.fromEntries(notDrafted),
      ...(operatorWallet && { operatorWallet }),
      ...(!event.drawDate && { saleLeadSeconds }),
    }
    if (event.lockedAt || hasEnded(event, await newestMoment(tx)))
      return Object.entries(variables).flatMap(([name, variable]) => {
        const value = wanted[name as keyof typeof variables]
        return value === undefined || value === event[name as keyof typeof variables] ? [] : variable
      })
    await setTerms(tx, event, wanted)
    return []
  })
}

const variables = {
  ticketPrice: 'TICKET_PRICE_USDT',
  saleLeadSeconds: 'SALE_LEAD_SECONDS',
  operatorWallet: 'OPERATOR_WALLET',
  autoDraw: 'AUTO_DRAW',
  claimDays: 'CLAIM_DAYS',
} as const

type Vars = Readonly<Record<string, string | undefined>>

/** A variable that is not set leaves the running event's term. */
function onlySet(terms: EnvTerms, event: Event, vars: Vars): EnvTerms {
  const { ticketPrice, saleLeadSeconds, chainId, token, autoDraw, claimDays } = event
  const isSet = (name: string) => Boolean(vars[name]?.trim())
  return {
    ...terms,
    ...(!isSet('TICKET_PRICE_USDT') && { ticketPrice }),
    ...(!isSet('SALE_LEAD_SECONDS') && { saleLeadSeconds }),
    ...(!isSet('CHAIN_ID') && { chainId }),
    ...(!isSet('USDT_ADDRESS') && { usdtAddress: token }),
    ...(!isSet('AUTO_DRAW') && { autoDraw }),
    ...(!isSet('CLAIM_DAYS') && { claimDays }),
  }
}

/** The book of this raffle names its chain; payments of another one, or of another token, are not in it. */
function refuseOtherChain(event: Event, terms: EnvTerms): void {
  if (event.chainId !== terms.chainId)
    throw new EnvError(
      'CHAIN_ID',
      `is ${terms.chainId}, but the running event is sold on chain ${event.chainId}.`,
    )
  if (!isAddressEqual(event.token, terms.usdtAddress))
    throw new EnvError('USDT_ADDRESS', `differs from ${event.token}, in which the running event is sold.`)
}
