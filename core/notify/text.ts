import type { Language } from '../admin/language.ts'
import { fillIn } from '../errors.ts'
import { shorten, usdtOf } from '../money.ts'
import type { RefundCause } from '../refund/rules.ts'
import type { Notice, NoticeFacts } from './kinds.ts'
import en from './texts/en.json'
import ko from './texts/ko.json'

type Sentences = { title: string; text: string; terms_taken_back?: string; unknown?: string }
type Texts = Record<Notice['kind'], Sentences> & {
  event: string
  notMe: string
  causes: Record<RefundCause, string>
}
const texts: Record<Language, Texts> = { en, ko }

/** What people read, in a line and in a sentence or two. Values are those that the moment knew. */
export function noticeText(
  { kind, eventNumber: event, facts }: Pick<Notice, 'kind' | 'eventNumber' | 'facts'>,
  language: Language,
): { title: string; text: string } {
  const said = texts[language]
  const { title, text, terms_taken_back, unknown } = said[kind]
  const sentence =
    (facts.reason === 'terms_taken_back' && terms_taken_back) ||
    (facts.state === 'unknown' && unknown) ||
    text
  return {
    title: event === null ? title : fillIn(said.event, { event, title }),
    text: fillIn(sentence, {
      ...shown(facts),
      notMe: said.notMe,
      cause: said.causes[facts.reason as RefundCause] ?? '',
    }),
  }
}

const count = (value: NoticeFacts[string] = 0): string => Number(value ?? 0).toLocaleString('en-US')
const usdt = (value: NoticeFacts[string] = 0): string => `${usdtOf(`${value ?? 0}`)} USDT`

const shown = (facts: NoticeFacts) => ({
  ...{ ...facts, address: `${facts.address}` },
  ...{ place: count(facts.place), ticketsSold: count(facts.ticketsSold) },
  ...{ winningTicket: count(facts.winningTicket), wallet: shorten(`${facts.wallet ?? ''}`, 8, 6) },
  ...{ required: usdt(facts.required), held: usdt(facts.held), change: change(facts) },
})

/** Who has changed what: the action as the audit list has it, and about whom or from what to what. */
function change({ username, address, action, about, before, after }: NoticeFacts): string {
  const what = before === undefined ? about : `${before || '-'} → ${after || '-'}`
  return [`${username}${address ? `, IP ${address}` : ''}`, what ? `${action}: ${what}` : action].join('. ')
}
