import { type Address, isAddressEqual } from 'viem'
import { firstEventContent } from '../../core/content/first-event.ts'
import { EnvError } from '../../core/server/env.ts'
import type { Db } from '../index.ts'
import {
  type EnvTerms,
  type Event,
  hasTickets,
  lockOpenEvent,
  openFirstEvent,
  termsFromEnv,
} from './events.ts'
import { isShut } from './restored.ts'
import { setTerms } from './set-terms.ts'
import { hasEnded, newestMoment } from './update.ts'

/**
 * Opens the first event, or applies a changed environment to the running one, in one transaction under its lock. Once a
 * payment has got a ticket, another price, lead or rule of the draw waits for the next event, and another
 * wallet, chain or token stops the start: throws EnvError. What a draft chose for the event stays. `localWallet` is for a first event without
 * OPERATOR_WALLET. With `vars` only variables that are set there change a running event.
 */
export async function applyEnvironment(
  db: Db,
  environment: EnvTerms,
  localWallet: Address | undefined,
  vars?: Vars,
): Promise<void> {
  await db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event) {
      const operatorWallet = environment.operatorWallet ?? localWallet
      await openFirstEvent(tx, { ...environment, operatorWallet }, firstEventContent)
      return
    }
    if (await isShut(tx)) return
    const terms = vars ? onlySet(environment, event, vars) : environment
    const isLocked = await hasTickets(tx, event.number)
    const isOver = hasEnded(event, await newestMoment(tx))
    if (isLocked || isOver) refuseOtherChain(event, terms)
    if (isLocked) refuseOtherWallet(event, terms)
    if (isLocked || isOver) return
    const { operatorWallet, saleLeadSeconds, ...others } = termsFromEnv(terms)
    const notDrafted = Object.entries(others).filter(([name]) => !event.drafted.includes(name))
    await setTerms(tx, event, {
      ...Object.fromEntries(notDrafted),
      ...(operatorWallet && { operatorWallet }),
      ...(!event.drawDate && { saleLeadSeconds }),
    })
  })
}

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

/** Payments came in under the stored terms; with other terms they would be looked for in the wrong place. */
function refuseOtherChain(event: Event, terms: EnvTerms): void {
  if (event.chainId !== terms.chainId)
    throw new EnvError(
      'CHAIN_ID',
      `is ${terms.chainId}, but the running event is sold on chain ${event.chainId}.`,
    )
  if (!isAddressEqual(event.token, terms.usdtAddress))
    throw new EnvError('USDT_ADDRESS', `differs from ${event.token}, in which the running event is sold.`)
}

function refuseOtherWallet(event: Event, terms: EnvTerms): void {
  if (terms.operatorWallet && event.operatorWallet !== terms.operatorWallet.toLowerCase())
    throw new EnvError(
      'OPERATOR_WALLET',
      `differs from ${event.operatorWallet}, to which the running event is paid.`,
    )
}
