import type { Address } from 'viem'
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
  lockOpenEvent,
  nextSaleStart,
  termsFromEnv,
} from './events.ts'
import { isShut } from './shut.ts'
import { getBook, setTerms } from './terms.ts'

/**
 * Opens the first event, or applies a changed environment to the running one; what a draft or, with `vars`, no variable chose
 * stays. Returns the variables that hold for the next event only, as the terms are locked or the sale is over. Throws EnvError
 * for another chain or token than the book's.
 */
export async function applyEnvironment(
  db: Db,
  environment: EnvTerms,
  localWallet: Address | undefined,
  vars?: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event) {
      const operatorWallet = environment.operatorWallet ?? localWallet
      await openFirstEvent(tx, { ...environment, operatorWallet }, firstEventContent)
      return []
    }
    if (await isShut(tx)) return []
    const isWanted = (name: Name) =>
      (!vars || Boolean(vars[variables[name]]?.trim())) &&
      !event.drafted.includes(name) &&
      !(name === 'saleLeadSeconds' && event.drawDate)
    const terms = termsFromEnv(environment)
    const changed = (Object.keys(variables) as Name[]).filter(
      (name) => isWanted(name) && terms[name] !== null && terms[name] !== event[name],
    )
    if (await getBook(tx)) refuseOtherChain(event, terms, changed)
    if (event.lockedAt || event.hasEnded) return changed.map((name) => variables[name])
    await setTerms(tx, event, Object.fromEntries(changed.map((name) => [name, terms[name]])))
    return []
  })
}

type Terms = ReturnType<typeof termsFromEnv>
type Name = keyof Terms
const variables: Record<Name, string> = {
  ticketPrice: 'TICKET_PRICE_USDT',
  saleLeadSeconds: 'SALE_LEAD_SECONDS',
  operatorWallet: 'OPERATOR_WALLET',
  chainId: 'CHAIN_ID',
  token: 'USDT_ADDRESS',
  autoDraw: 'AUTO_DRAW',
  claimDays: 'CLAIM_DAYS',
}

/** The book of this raffle names its chain; payments of another one, or of another token, are not in it. */
function refuseOtherChain(event: Event, { chainId }: Terms, changed: readonly Name[]): void {
  if (changed.includes('chainId'))
    throw new EnvError('CHAIN_ID', `is ${chainId}, but the running event is sold on chain ${event.chainId}.`)
  if (changed.includes('token'))
    throw new EnvError('USDT_ADDRESS', `differs from ${event.token}, in which the running event is sold.`)
}

/** With the minimum of 100 (docs/spec.md). Undefined when there is one already. @internal */
export async function openFirstEvent(db: Db, terms: EnvTerms, content?: EventContent) {
  const [event] = await db
    .insert(events)
    .values({
      ...{ number: 1, ...termsFromEnv(terms), entropy: terms.entropy, minTickets: 100 },
      ...{ saleStart: nextSaleStart },
      ...(content && { content, contentSha256: contentSha256(content), ...termsOfContent(content) }),
    })
    .onConflictDoNothing()
    .returning(eventColumns)
  return event
}
