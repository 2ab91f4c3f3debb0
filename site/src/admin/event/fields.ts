import { mostWinners, reservesDrawn } from '../../../../core/draw/winners.ts'
import { t } from '../language/t.ts'
import { fromField } from '../ui/dates.ts'
import { count } from '../ui/numbers.ts'

/** What the fields of a form hold, as typed. */
type Texts<Name extends string> = Record<Name, string>
/** A field that differs, with the label that people see. */
export type Change<Name extends string> = { name: Name; label: string }

/** Fields that differ from the saved ones, in the order of `labels`; `read` makes one value of its spellings. */
export const changesOf = <Name extends string>(
  labels: Record<Name, string>,
  saved: Texts<Name>,
  draft: Texts<Name>,
  read: (name: Name, text: string) => unknown = (_, text) => text.trim(),
): Change<Name>[] =>
  (Object.keys(labels) as Name[])
    .filter((name) => read(name, draft[name]) !== read(name, saved[name]))
    .map((name) => ({ name, label: labels[name] }))

/** Under every field that holds the number of winners. */
export const winnersHint = t(
  '1명에서 {mostWinners}명. 한 지갑은 한 번만 뽑히고 예비 {reservesDrawn}명이 따로 뽑힙니다.',
  { mostWinners, reservesDrawn },
)

/** A typed date as a moment; one that is wrong, as it is. */
export const readDate = (text: string): number | string => fromField(text)?.getTime() ?? text.trim()

export const wrongForm = (date: string): string | undefined =>
  fromField(date) ? undefined : t('날짜 형식이 올바르지 않습니다. 예: 2025-09-30 12:00')

/** A whole number, as it is typed. */
export function wrongNumber(text: string, min: number, max: number): string | undefined {
  const value = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN
  const isGood = value >= min && value <= max
  return isGood
    ? undefined
    : t('{min}에서 {max} 사이의 정수를 입력하세요.', { min: count(min), max: count(max) })
}

/** The sentences of the wrong fields alone. */
export const onlyWrong = <Name extends string>(
  sentences: Partial<Record<Name, string | undefined>>,
): Partial<Record<Name, string>> =>
  Object.fromEntries(Object.entries(sentences).filter(([, text]) => text)) as Partial<Record<Name, string>>

/** Said when a saved date has opened the next event. */
export const archivedText = ({ archived = 0, eventNumber }: { archived?: number; eventNumber: number }) =>
  t('이벤트 #{archived}의 기록이 보관되고 이벤트 #{opened}의 판매가 시작되었습니다.', {
    ...{ archived: `${archived}`, opened: `${eventNumber}` },
  })
