import { type Address, isAddressEqual } from 'viem'
import type { EventContent } from '../../core/content/event-content.ts'
import { firstEventContent } from '../../core/content/first-event.ts'
import { contentSha256, termsOfContent } from '../../core/content/promised.ts'
import { EnvError } from '../../core/server/env.ts'
import type { Db } from '../index.ts'
import { events } from '../schema/index.ts'
import {
  type EnvTerms,
  type Event,
  eventColumns,
  getOpenEvent,
  lockOpenEvent,
  nextSaleStart,
  termsFromEnv,
} from './events.ts'
import { isShut } from './shut.ts'
import { getBook, setTerms, type TermsPatch } from './terms.ts'

/**
 * Opens the first event, or applies a changed environment to the running one; what a draft or, with `vars`, no variable chose
 * stays. Returns the variables that hold for the next event only, as the terms are locked or the sale is over. Throws EnvError
 * for another chain or token than the book's.
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
    if (event.lockedAt || event.hasEnded)
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

/** With the minimum of 100 (docs/spec.md). Undefined when there is an open event already. @internal */
export async function openFirstEvent(db: Db, terms: EnvTerms, content?: EventContent) {
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
