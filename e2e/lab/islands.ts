import type { ReadableAtom } from 'nanostores'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, vi } from 'vitest'
import type { PublicState } from '../../core/live/public.ts'
import { $myTickets } from '../../site/src/buy/my-tickets.ts'
import { $approving, $isBuying, $isHanding, $purchases } from '../../site/src/buy/purchase.ts'
import { $gate } from '../../site/src/house/gate.ts'
import { $now } from '../../site/src/live/clock.ts'
import * as live from '../../site/src/live/live.ts'
import { $lookup } from '../../site/src/recent/FindPayment.tsx'
import type { Lang } from '../../site/src/texts/index.ts'
import { spoken } from '../../site/src/texts/speak.ts'
import { $balances } from '../../site/src/wallet/balances.ts'
import { $isDialogOpen, $offers, $wallet, $walletTrouble } from '../../site/src/wallet/wallet.ts'
import { $checkedEvent } from '../../site/src/winner/check.ts'
import { $isOverlayOpen, $overlay } from '../../site/src/winner/overlay.ts'
import { type Part, toldFirst } from './told.ts'

/** The moment of all states: 12 hours after the beginning of a year far away. */
export const now = Date.parse('2055-01-01T12:00:00Z')

const { $live, $link } = live
const ofLive = Object.values(live).filter((each): each is typeof $live => typeof each === 'object')
const own = [
  $approving,
  $isBuying,
  $isHanding,
  $purchases,
  $gate,
  $lookup,
  $overlay,
  $isOverlayOpen,
  $checkedEvent,
]
const ofWallet = [$isDialogOpen, $offers, $wallet, $walletTrouble]

// A page begins with what was built, which knows nothing; here islands begin with what the stores hold.
for (const store of [...ofLive, ...own, ...ofWallet, $now, $balances, $myTickets])
  Reflect.deleteProperty(store, 'init')
// Nothing is fetched, and no clock runs, as somebody listens already.
for (const store of [$live, $now, $balances, $myTickets] as ReadableAtom[]) {
  Object.assign(store, { active: true })
  store.listen(() => {})
}

/** The server tells these parts over the first day of event 1; no wallet is connected. */
export function tell(part: Part = {}): void {
  const whole: Partial<PublicState> = { ...toldFirst(now) }
  for (const [name, value] of Object.entries(part) as [keyof PublicState, object | null][]) {
    const known = whole[name]
    const isLaid = value && !Array.isArray(value) && known && typeof known === 'object'
    Object.assign(whole, { [name]: isLaid ? { ...known, ...value } : value })
  }
  knows(whole)
}

/** Only these parts have come; `link` as it is while the server is away. */
export function knows(known: Partial<PublicState>, link: 'live' | 'connecting' | 'offline' = 'live'): void {
  $live.set(known)
  $link.set(link)
  $now.set(now)
  $wallet.set({ status: 'disconnected' })
  $lookup.set(undefined)
  for (const store of [$approving, $balances, $myTickets]) store.set(undefined)
  for (const store of [$isBuying, $isHanding, $isOverlayOpen, $isDialogOpen]) store.set(false)
  $purchases.set([])
  $overlay.set({ kind: 'waiting' })
}

/** Elements within a line. */
const inline = 'a|abbr|b|code|em|i|output|small|span|strong|time'

/** The lines of what is rendered, from top to bottom: folded parts too, without drawings. */
export function linesOf(markup: string): string[] {
  return markup
    .replace(/<(svg|canvas|style|script|template)\b.*?<\/\1>/gs, '')
    .replace(new RegExp(`</?(${inline})\\b[^>]*>`, 'g'), ' ')
    .replace(/<[^>]+>/g, '\n')
    .replace(/&(amp|lt|gt|quot|#x27|#39|nbsp);/g, (_, name: string) => signs[name] ?? '')
    .split('\n')
    .map((line) =>
      line
        .replace(/\s+/g, ' ')
        .replace(/ ([.,])/g, '$1')
        .trim(),
    )
    .filter((line) => line !== '')
}
const signs: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'", nbsp: ' ' },
}

/** The lines of an island in English. */
export const read = (island: ReactNode): string[] =>
  inBoth(linesOf(rendered(island, 'en')), linesOf(rendered(island, 'ko')))

/** The English lines, where the Korean ones are as many and no English sentence among them. */
export function inBoth(english: string[], korean: string[]): string[] {
  const isSentence = (line: string) => /[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(line)
  expect(korean.filter((line) => isSentence(line) && english.includes(line))).toEqual([])
  expect(korean.length, korean.join('\n')).toBe(english.length)
  return english
}

/** What is rendered in English, with its attributes. */
export const markupOf = (island: ReactNode): string => rendered(island, 'en')

/** The names of its buttons; one that cannot be pressed has a dash before it. */
export const buttonsOf = (island: ReactNode): string[] =>
  [...markupOf(island).matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)].map(
    ([, attributes = '', inner = '']) => {
      const name = /aria-label="([^"]+)"/.exec(attributes)?.[1] ?? linesOf(inner).join(' ')
      return / disabled=""/.test(attributes) ? `- ${name}` : name
    },
  )

/** For a visitor whose own time is UTC. */
function rendered(island: ReactNode, language: Lang): string {
  const zone = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(0)
  try {
    return spoken(language, () => renderToStaticMarkup(island))
  } finally {
    zone.mockRestore()
  }
}
