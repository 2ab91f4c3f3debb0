import type { Entropy } from '../../../../core/event/event.ts'
import { t } from '../language/t.ts'
import type { NextTerms } from '../session/types.ts'
import { fromField, toApi, toField } from '../ui/dates.ts'
import { type Change, changesOf, onlyWrong, readDate, wrongNumber } from './fields.ts'
import { highestMinimum, wrongDrawDate } from './settings-form.ts'

/** The draft as its fields show it; an empty one is left to the server or the event before. */
export type NextDraft = {
  drawDate: string
  minTicketsForDraw: string
  autoDraw: '' | 'on' | 'off'
  claimDays: string
  entropy: '' | Entropy
}

const labels: Record<keyof NextDraft, string> = {
  drawDate: t('추첨 일시'),
  minTicketsForDraw: t('최소 참여 인원'),
  autoDraw: t('추첨 시작'),
  claimDays: t('경품 수령 기한'),
  entropy: t('추첨 난수'),
}

export const nextFields = Object.keys(labels) as (keyof NextDraft)[]

export const nextDraftOf = ({ draft }: NextTerms): NextDraft => ({
  drawDate: toField(draft.drawDate),
  minTicketsForDraw: draft.minTicketsForDraw?.toString() ?? '',
  autoDraw: draft.autoDraw === null ? '' : draft.autoDraw ? 'on' : 'off',
  claimDays: draft.claimDays?.toString() ?? '',
  entropy: draft.entropy ?? '',
})

/** Another spelling of the saved value is not a change. */
export const changedNext = (terms: NextTerms, draft: NextDraft): Change<keyof NextDraft>[] =>
  changesOf(labels, nextDraftOf(terms), draft, (name, text) =>
    name === 'drawDate' ? readDate(text) : text.trim(),
  )

/** One sentence per wrong field. The saved date can become wrong by itself: `now` by the server's clock. */
export const wrongNext = (
  { next }: NextTerms,
  { drawDate, minTicketsForDraw, claimDays }: NextDraft,
  now: number,
): Partial<Record<keyof NextDraft, string>> =>
  onlyWrong({
    drawDate: drawDate.trim() ? wrongDrawDate(drawDate, next.saleLeadSeconds, now) : undefined,
    minTicketsForDraw: minTicketsForDraw.trim()
      ? wrongNumber(minTicketsForDraw, 1, highestMinimum)
      : undefined,
    claimDays: claimDays.trim() ? wrongNumber(claimDays, 7, 90) : undefined,
  })

/** The whole draft as the API takes it. */
export function nextBody({ version }: NextTerms, edited: NextDraft) {
  const date = fromField(edited.drawDate)
  const number = (text: string) => (text.trim() ? Number(text) : null)
  return {
    drawDate: date ? toApi(date) : null,
    minTicketsForDraw: number(edited.minTicketsForDraw),
    autoDraw: edited.autoDraw === '' ? null : edited.autoDraw === 'on',
    claimDays: number(edited.claimDays),
    entropy: edited.entropy || null,
    // They follow from the content.
    ...{ winners: null, prizes: null },
    version,
  }
}
