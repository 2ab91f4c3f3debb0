import type { PublicEventSettings } from '../../../../core/live/public.ts'
import { t } from '../language/t.ts'
import { fromField, toApi, toField } from '../ui/dates.ts'
import { type Change, changesOf, onlyWrong, wrongForm } from './fields.ts'

export type EventDraft = {
  prizeImageUrl: string
  prizeValue: string
  prizeDescription: string
  eventStartDate: string
}

const labels: Record<keyof EventDraft, string> = {
  prizeImageUrl: t('상품 이미지'),
  prizeValue: t('상품 가치'),
  prizeDescription: t('상품 설명'),
  eventStartDate: t('시작 일시'),
}

export const eventFields = Object.keys(labels) as (keyof EventDraft)[]

/** Changes since `version`, as the API takes them; null clears a field. */
type EventBody = Partial<Record<keyof EventDraft, string | null>> & {
  isActive: boolean
  version: string | null
}

export const eventDraftOf = (settings: PublicEventSettings): EventDraft => ({
  prizeImageUrl: settings.prizeImageUrl ?? '',
  prizeValue: settings.prizeValue ?? '',
  prizeDescription: settings.prizeDescription ?? '',
  eventStartDate: toField(settings.eventStartDate),
})

export const changedEvent = (settings: PublicEventSettings, draft: EventDraft): Change<keyof EventDraft>[] =>
  changesOf(labels, eventDraftOf(settings), draft)

export const wrongEvent = ({
  prizeValue,
  prizeDescription,
  eventStartDate,
}: EventDraft): Partial<Record<keyof EventDraft, string>> =>
  onlyWrong({
    prizeValue: prizeValue.length > 100 ? t('100자까지 입력할 수 있습니다.') : undefined,
    prizeDescription: prizeDescription.length > 5_000 ? t('5,000자까지 입력할 수 있습니다.') : undefined,
    eventStartDate: eventStartDate.trim() ? wrongForm(eventStartDate) : undefined,
  })

/** Undoes a change; `saved` is the server's answer to it. */
export function undoBody(before: PublicEventSettings, saved: PublicEventSettings): EventBody {
  const names = changedEvent(saved, eventDraftOf(before)).map(({ name }) => name)
  return {
    ...Object.fromEntries(names.map((name) => [name, before[name]])),
    isActive: before.isActive,
    version: saved.updatedAt,
  }
}

/** Changes since `version`; an empty field is cleared. The start gets seconds, the event is active. */
export function eventBody(
  settings: PublicEventSettings,
  draft: EventDraft,
  version: string | null,
): EventBody {
  const value = (name: keyof EventDraft) => {
    const text = draft[name].trim()
    const date = name === 'eventStartDate' ? fromField(text) : undefined
    return text === '' ? null : date ? toApi(date) : text
  }
  const changed = changedEvent(settings, draft).map(({ name }) => [name, value(name)])
  return { ...Object.fromEntries(changed), isActive: true, version }
}
