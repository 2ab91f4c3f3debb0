import { type ErrorCode, RaffleError } from '../../core/errors.ts'

export type Fields = Record<string, unknown>

/** Throws UNKNOWN_FIELD for a field that the call does not know, also for names such as `__proto__`. */
export function onlyFields(fields: Fields, names: readonly string[]): void {
  const unknown = Object.keys(fields).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new RaffleError('UNKNOWN_FIELD', `알 수 없는 항목입니다: ${printable(unknown).slice(0, 40)}`)
}

type TextRules = { max: number; min?: number; lines?: boolean; message?: string; code?: ErrorCode }

/** A text without control characters; throws INVALID_VALUE (or `code`) naming the field. Not trimmed. */
export function toText(value: unknown, name: string, rules: TextRules): string {
  const { max, min = 1, lines = false, message, code = 'INVALID_VALUE' } = rules
  if (typeof value !== 'string' || value.length > max || !isClean(value, lines))
    throw new RaffleError(code, message ?? `${name}: ${max}자 이하의 올바른 텍스트가 아닙니다.`)
  if (value.length < min) throw new RaffleError(code, message ?? `${name}: 값을 입력해주세요.`)
  return value
}

/** As toText; what is left out or empty is undefined. */
export const toOptionalText = (value: unknown, name: string, rules: TextRules): string | undefined =>
  value === undefined || value === '' ? undefined : toText(value, name, rules)

export function toBoolean(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  throw new RaffleError('INVALID_VALUE', `${name}: true 또는 false여야 합니다.`)
}

/** Six ASCII digits; empty counts as left out, as a form sends it. Throws INVALID_OTP_FORMAT. */
export function toOtpCode(value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string' && /^\d{6}$/.test(value)) return value
  throw new RaffleError('INVALID_OTP_FORMAT', '잘못된 인증 코드입니다. 다시 시도하세요.')
}

/** No control characters, which neither a database nor a spreadsheet takes well, and no halves of pairs. */
const isClean = (text: string, lines: boolean): boolean =>
  text.isWellFormed() && !/\p{Cc}/u.test(lines ? text.replaceAll(/[\r\n\t]/g, '') : text)

const printable = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}/gu, '?')
