import type { EventContent, EventPage } from '../../../core/content/event-content.ts'
import { shorten, usdtOf } from '../../../core/money.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { fill, plural } from '../texts/fill.ts'
import { type Lang, t } from '../texts/index.ts'
import { standingOf, stateOf, stepsAhead, takenSteps, toneOf } from '../winner/prizes.ts'
import { html, type Markup, nothing } from './markup.ts'
import { hashLink, when } from './row-markup.ts'
import { wordsIn } from './slots.ts'

/** What became of each prize, in its steps; empty before the draw. */
export const recordMarkup = ({ prizes, content }: EventPage, language: Lang): Markup =>
  prizes.length === 0
    ? nothing
    : html`<ol class="rows record">${prizes.map((prize) => prizeMarkup(prize, content, language))}</ol>`

function prizeMarkup(prize: PublicPrize, content: EventContent | null, language: Lang): Markup {
  const standing = standingOf(prize)
  const { holder, claimBy, place } = prize
  const taken = takenSteps(prize)
  const ahead = stepsAhead(prize)
  const name = nameOf(place, content, language) ?? fill(t.prize.place, { place })
  return html`<li><div class="record-head"><h3>${name}</h3><span class="badge ${toneOf(standing)}">${t.prize.states[standing]}</span></div><p class="hint">${kindOf(prize)} · ${
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
        transactionHash && hashLink(transactionHash, wordsIn(language).result.onBsc)
      }</p>${reason && html`<p>${fill(t.prize.reason, { reason })}</p>`}</div></li>`,
  )}${ahead.map(
    (step, index) =>
      html`<li data-state="${index === 0 ? 'now' : 'ahead'}"><span class="disc" aria-hidden="true">${taken.length + index + 1}</span><div><h4>${t.prize.ahead[step]}</h4><p>${t.prize.aheadText[step]}</p></div></li>`,
  )}</ol></li>`
}

const kindOf = ({ units }: PublicPrize): string =>
  units === null ? t.prize.goods : fill(t.prize.token, { amount: usdtOf(units) })

/** The copies of all prizes, one after the other, are the places. */
const nameOf = (place: number, content: EventContent | null, language: Lang): string | undefined =>
  content?.prizes.flatMap(({ name, copies }) => Array<string>(copies).fill(name[language]))[place - 1]
