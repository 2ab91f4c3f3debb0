import { mostWinners } from '../../../../core/draw/winners.ts'
import { formatCents, parseCents, usdt } from '../../../../core/money.ts'
import { mostPrizeCents, type PrizeKind } from '../../../../core/prize/promise.ts'
import { t } from '../language/t.ts'

/** What one winner is promised, as a form has it: hundredths of a USDT, null for goods. */
export type FormPrize = { kind: PrizeKind; amount: number | null }
/** As its fields show it. */
export type PrizeField = { kind: PrizeKind; amount: string }

const goods: PrizeField = { kind: 'goods', amount: '' }

const between = ' · '
const unit = ' USDT'
const word = t('물건')

/** The draft is one text, as all fields of a form are: "물건 · 500 USDT", a place each; goods at the end are left out. */
export const prizesText = (fields: readonly PrizeField[]): string =>
  fields
    .slice(0, fields.findLastIndex(({ kind }) => kind === 'token') + 1)
    .map(({ kind, amount }) => (kind === 'goods' ? word : `${amount.replaceAll(/[\s·]/g, '')}${unit}`))
    .join(between)

export const textOfPromises = (promises: readonly FormPrize[] | null): string =>
  prizesText(
    (promises ?? []).map(({ kind, amount }) => ({
      kind,
      amount: amount === null ? '' : formatCents(BigInt(amount)),
    })),
  )

/** A field for each winner; a number that is none counts as one. */
export function prizeFields(text: string, winners: string): PrizeField[] {
  const count = Math.min(mostWinners, Math.max(1, Math.trunc(Number(winners)) || 1))
  const found = text.split(between)
  return Array.from({ length: count }, (_, index): PrizeField => {
    const amount = amountIn(found[index] ?? word)
    return amount === undefined ? goods : { kind: 'token', amount }
  })
}

/** As the API takes it: one for each winner. Amounts that are wrong become 0, which no form sends. */
export const promisesIn = (text: string, winners: string) =>
  prizeFields(text, winners).map(({ kind, amount }) =>
    kind === 'goods' ? { kind } : { kind, amount: Number(parseCents(amount) ?? 0n) },
  )

/** In words, a place each. */
export const prizesLine = (promises: readonly { kind: PrizeKind; amount?: number | null }[]): string =>
  promises.map(({ kind, amount }) => (kind === 'goods' ? word : `${usdt(amount ?? 0)}${unit}`)).join(between)

/** The same promises in any spelling are the same text. */
export const readPrizes = (text: string): string =>
  text
    .split(between)
    .map((one) => {
      const cents = parseCents(amountIn(one) ?? '')
      return cents === undefined ? one : `${formatCents(cents)}${unit}`
    })
    .join(between)

/** Undefined for goods. */
const amountIn = (one: string): string | undefined =>
  one.endsWith(unit) ? one.slice(0, -unit.length) : undefined

/** The first wrong amount, by its place. */
export function wrongPrizes(text: string, winners: string): string | undefined {
  const place = prizeFields(text, winners).findIndex(({ kind, amount }) => {
    const cents = parseCents(amount)
    return kind === 'token' && (cents === undefined || cents < 1n || cents > BigInt(mostPrizeCents))
  })
  return place < 0
    ? undefined
    : t('경품 {place}: 금액을 USDT로 입력하세요. 예: 500 또는 99.50', { place: place + 1 })
}
