import { shorten, usdtOf } from '../../../core/money.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { formatDate } from '../shell/dates.ts'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { claimable, type PrizeStanding, standingOf } from './prizes.ts'

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
  if (!own) {
    const waiting = claimable(goods)
    const reason = connected ? notYours(connected, waiting.length > 0 ? waiting : goods) : ''
    const text = waiting.length > 0 ? t.claim.text : t.holding.othersText
    return { title: t.claim.ask, text, by: '', action: { label: t.claim.sign, reason } }
  }
  const [title, text, label = ''] = wordsOf(own)[standingOf(own)]
  const by = own.claimBy ? fill(t.holding.by, { date: formatDate(own.claimBy) }) : ''
  return { title, text, by, action: { label, reason: '' } }
}

/** Title, text and button of each standing. */
function wordsOf({ units, holder }: PublicPrize): Record<PrizeStanding, [string, string, string?]> {
  const amount = usdtOf(units ?? '0')
  const delivered: [string, string] = [t.holding.delivered, t.holding.deliveredText]
  return {
    due: [t.holding.token, fill(t.holding.tokenText, { amount })],
    paid: [t.holding.token, fill(t.holding.paidText, { amount })],
    unclaimed:
      holder?.kind === 'reserve'
        ? [t.holding.reserve, t.holding.reserveText, t.claim.sign]
        : [t.claim.own, t.claim.text, t.claim.sign],
    claimed: [t.claim.own, t.holding.claimedText, t.holding.again],
    sent: [t.holding.sent, t.holding.sentText, t.holding.again],
    delivered,
    lapsed: delivered,
  }
}

/** Only holders can sign: names the one, or says how many there are. */
function notYours(connected: string, prizes: readonly PublicPrize[]): string {
  const first = prizes[0]?.holder?.walletAddress ?? ''
  return fill(prizes.length > 1 ? t.claim.notOneOf : t.claim.notYours, {
    ...{ connected: shorten(connected, 6, 4), winner: shorten(first, 6, 4), count: prizes.length },
  })
}
