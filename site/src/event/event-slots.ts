import type { EventPage, EventState } from '../../../core/content/event-content.ts'
import { shorten, usdt } from '../../../core/money.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { formatDate } from '../shell/dates.ts'
import { termsMarkup } from '../shell/term-text.ts'
import { count, fill, type Lang, plural, t } from '../texts/index.ts'
import { spoken } from '../texts/speak.ts'
import { describe, nameOf } from '../winner/changes.ts'
import { kindOf, standingOf, stateOf, stepsAhead, takenSteps, toneOf } from '../winner/prizes.ts'
import {
  hashLink,
  html,
  type Markup,
  nothing,
  type Places,
  rows,
  type Slots,
  when,
  wordsIn,
} from './slots.ts'
import { stages, stateSlots } from './state-slots.ts'

/** Something may still happen to these: their pages are kept up to date by a script. */
const running: readonly EventState[] = ['soon', 'on-sale', 'sale-over']

/** What changes while pages of the event are open, as it is now; the script of an open page goes on from there. */
export const servedSlots = (page: EventPage, language: Lang): Slots => {
  const { state, drawDate, saleEnd } = page
  const now = { ...page, stage: stages[state], isRefund: state === 'refunding' || state === 'refunded' }
  return {
    ...spoken(language, () => stateSlots(now)),
    ...{ stage: now.stage, 'draw-at': drawDate ?? '', 'end-at': saleEnd ?? '' },
  }
}

/** What the page of an event says beyond its prizes. Only where pages are published: it has the texts of both languages. */
export const eventSlots = (page: EventPage, language: Lang, places: Places): Slots =>
  spoken(language, () => slotsIn(language, page, places))

function slotsIn(language: Lang, page: EventPage, { apiBase = '' }: Places): Slots {
  const words = wordsIn(language)
  const { eventNumber, state, result, hasLedger } = page
  const isRunning = running.includes(state) && !page.isArchived
  const home = language === 'ko' ? '/ko/' : '/'
  const api = (path: string) => `${apiBase}/api/raffle/${path}`
  const [winner] = result?.winners ?? []
  return {
    'event-number': `${eventNumber}`,
    'event-state': words.states[state],
    'event-running': isRunning ? state : '',
    'other-language': `${language === 'ko' ? '' : '/ko'}/e/${eventNumber}/`,
    ...(winner && { 'stub-name': words.won, 'stub-number': `#${winner.ticketNumber}` }),
    buy: state === 'on-sale' ? `${home}#buy` : '',
    check: result ? `${home}?event=${eventNumber}#winner` : '',
    calendar: isRunning && page.drawDate ? api(`calendar/${eventNumber}?lang=${language}`) : '',
    sale: saleRows(page, language),
    result: result ? resultMarkup(page, language) : html`<p class="lead">${words.undrawn[state]}</p>`,
    'record-title': page.prizes.length === 1 ? words.headings.record : words.headings.records,
    record: recordMarkup(page.prizes, namesOf(page, language)),
    'proof-href': result ? api(`proof/${eventNumber}`) : '',
    'ledger-href': hasLedger ? api(`ledger/${eventNumber}`) : '',
    terms: termsMarkup(page.terms),
    'terms-line': page.terms.trimEnd(),
    'terms-sha256': page.termsSha256,
    changes: changesMarkup(page, words.noChanges),
  }
}

function saleRows(page: EventPage, language: Lang): Markup {
  const { dates, result } = wordsIn(language)
  const { saleStart, saleEnd, drawDate, ticketPrice, minTickets } = page
  const tickets = (value: number) => fill(dates.tickets, { count: value })
  return rows([
    [dates.saleStart, when(saleStart)],
    [dates.saleEnd, saleEnd ? when(saleEnd) : t.none.notSet],
    [dates.drawDate, drawDate ? when(drawDate) : t.none.notSet],
    [dates.price, `${usdt(ticketPrice)} USDT`],
    [dates.minimum, tickets(minTickets)],
    [result.sold, html`<span data-slot="tickets-sold">${count(page.ticketsSold)}</span>`],
  ])
}

function resultMarkup({ result }: EventPage, language: Lang): Markup {
  const words = wordsIn(language).result
  if (!result) return html``
  const { winners, randomNumber, drawnAt, ledgerSha256, commitment } = result
  return html`<ol class="rows">${winners.map(
    ({ place, walletAddress, transactionHash, ticketNumber }) =>
      html`<li><span class="label">${winners.length === 1 ? words.winner : fill(words.place, { place })}</span><p class="row base spread"><b class="figure wallet" title="${walletAddress}">${shorten(walletAddress, 6, 4)}</b><span class="figure">${fill(words.ticket, { ticket: `#${ticketNumber}` })}</span></p>${hashLink(transactionHash, words.onBsc)}</li>`,
  )}</ol>${rows([
    [words.drawnAt, when(drawnAt)],
    [words.random, html`<span class="long">${randomNumber}</span>`],
    [words.ledger, html`<span class="long">${ledgerSha256}</span>`],
    ...(commitment ? [[words.commitment, html`<span class="long">${commitment}</span>`] as const] : []),
  ])}`
}

const namesOf = ({ content }: EventPage, language: Lang): string[] =>
  content?.prizes.flatMap(({ name, copies }) => Array<string>(copies).fill(name[language])) ?? []

const changesMarkup = ({ changes, eventNumber }: EventPage, none: string): Markup =>
  changes.length === 0
    ? html`<p class="hint">${none}</p>`
    : html`<ol class="rows">${changes.map((change) => {
        const named = { ...change, eventNumber }
        return html`<li><time class="figure faint size-14" datetime="${change.at}" title="${formatDate(change.at)}">${change.at.slice(0, 10)} ${change.at.slice(11, 19)}</time><b>${nameOf(named)}</b><span class="anywhere">${describe(named)}</span></li>`
      })}</ol>`

/** What became of each prize, in its steps, by name or by place; empty before the draw. @internal */
export const recordMarkup = (prizes: readonly PublicPrize[], names: readonly string[] = []): Markup =>
  prizes.length === 0
    ? nothing
    : html`<ol class="rows">${prizes.map((prize) => prizeMarkup(prize, names[prize.place - 1]))}</ol>`

function prizeMarkup(prize: PublicPrize, known: string | undefined): Markup {
  const standing = standingOf(prize)
  const { holder, claimBy, place } = prize
  const taken = takenSteps(prize)
  const ahead = stepsAhead(prize)
  const name = known ?? fill(t.prize.place, { place })
  return html`<li class="stack gap-8"><div class="row spread gap-8"><h3 class="display">${name}</h3><span class="badge ${toneOf(standing)}">${t.prize.states[standing]}</span></div><p class="hint">${kindOf(prize)} · ${
    holder
      ? fill(t.prize.holder[holder.kind], {
          place: holder.place,
          wallet: shorten(holder.walletAddress, 6, 4),
        })
      : t.prize.nobody
  }</p>${claimBy && html`<p>${t.prize.claimBy} ${when(claimBy)}</p>`}<ol class="steps">${taken.map(
    ({ step, at, walletAddress, transactionHash, reason, days }, index) =>
      html`<li data-state="${stateOf(step)}"><span class="disc" aria-hidden="true">${index + 1}</span><div><h4>${t.prize.steps[step]}${
        days !== null && html` <small>${days === 0 ? t.prize.sameDay : plural(t.prize.later, days)}</small>`
      }</h4><p>${when(at)} <span class="figure" title="${walletAddress}">${shorten(walletAddress, 6, 4)}</span> ${
        transactionHash && hashLink(transactionHash, t.winner.view)
      }</p>${reason && html`<p>${fill(t.prize.reason, { reason })}</p>`}</div></li>`,
  )}${ahead.map(
    (step, index) =>
      html`<li data-state="${index === 0 ? 'now' : 'ahead'}"><span class="disc" aria-hidden="true">${taken.length + index + 1}</span><div><h4>${t.prize.ahead[step]}</h4><p>${t.prize.aheadText[step]}</p></div></li>`,
  )}</ol></li>`
}
