import { shorten, usdtOf } from '../../../core/money.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { formatDate } from '../shell/dates.ts'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { claimable, standingOf } from './prizes.ts'

type Words = {
  title: string
  text: string
  /** The last day of the turn; empty where there is none. */
  by: string
  /** `label` of the button, empty where nothing is to be signed; `reason` why another wallet cannot. */
  action: { label: string; reason: string }
}

type Others = {
  connected: string | undefined
  /** Prizes of goods that are not over. */
  goods: readonly PublicPrize[]
}

/** What the claim's card says to the holder of `own`, or to anybody else. */
export function claimWords(own: PublicPrize | undefined, { connected, goods }: Others): Words {
  const none = { label: '', reason: '' }
  if (!own) {
    const waiting = claimable(goods)
    const reason = connected ? notYours(connected, waiting.length > 0 ? waiting : goods) : ''
    const text = waiting.length > 0 ? t.claim.text : t.holding.othersText
    return { title: t.claim.ask, text, by: '', action: { label: t.claim.sign, reason } }
  }
  const by = own.claimBy ? fill(t.holding.by, { date: formatDate(own.claimBy) }) : ''
  const amount = usdtOf(own.units ?? '0')
  switch (standingOf(own)) {
    case 'due':
      return { title: t.holding.token, text: fill(t.holding.tokenText, { amount }), by: '', action: none }
    case 'paid':
      return { title: t.holding.token, text: fill(t.holding.paidText, { amount }), by: '', action: none }
    case 'unclaimed': {
      const isReserve = own.holder?.kind === 'reserve'
      return {
        ...(isReserve
          ? { title: t.holding.reserve, text: t.holding.reserveText }
          : { title: t.claim.own, text: t.claim.text }),
        ...{ by, action: { label: t.claim.sign, reason: '' } },
      }
    }
    case 'claimed':
      return {
        ...{ title: t.claim.own, text: t.holding.claimedText, by: '' },
        action: { label: t.holding.again, reason: '' },
      }
    case 'sent':
      return {
        ...{ title: t.holding.sent, text: t.holding.sentText, by: '' },
        action: { label: t.holding.again, reason: '' },
      }
    case 'delivered':
    case 'lapsed':
      return { title: t.holding.delivered, text: t.holding.deliveredText, by: '', action: none }
  }
}

/** Only holders can sign: names the one, or says how many there are. */
function notYours(connected: string, prizes: readonly PublicPrize[]): string {
  const first = prizes[0]?.holder?.walletAddress ?? ''
  return fill(prizes.length > 1 ? t.claim.notOneOf : t.claim.notYours, {
    ...{ connected: shorten(connected, 6, 4), winner: shorten(first, 6, 4), count: prizes.length },
  })
}
