import { shorten, usdtOf } from '../../../core/money.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { fill, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { standingOf, stateOf, stepsAhead, takenSteps, toneOf } from '../winner/prizes.ts'
import { hashLink, html, type Markup, nothing, when } from './markup.ts'

/** What became of each prize, in its steps, by name or by place; empty before the draw. For the page of an event and for islands. */
export const recordMarkup = (prizes: readonly PublicPrize[], names: readonly string[] = []): Markup =>
  prizes.length === 0
    ? nothing
    : html`<ol class="rows record">${prizes.map((prize) => prizeMarkup(prize, names[prize.place - 1]))}</ol>`

function prizeMarkup(prize: PublicPrize, known: string | undefined): Markup {
  const standing = standingOf(prize)
  const { holder, claimBy, place } = prize
  const taken = takenSteps(prize)
  const ahead = stepsAhead(prize)
  const name = known ?? fill(t.prize.place, { place })
  return html`<li><div class="row spread gap-8"><h3>${name}</h3><span class="badge ${toneOf(standing)}">${t.prize.states[standing]}</span></div><p class="hint">${kindOf(prize)} · ${
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

const kindOf = ({ units }: PublicPrize): string =>
  units === null ? t.prize.goods : fill(t.prize.token, { amount: usdtOf(units) })
