import { RaffleError } from '../../core/errors.ts'

/** Parameters of lists; empty counts as left out. Each throws INVALID_VALUE naming the parameter. */
export function toQueryNumber(value: string | undefined, name: string): number | undefined {
  if (value === undefined || value === '') return undefined
  if (!/^\d{1,9}$/.test(value)) throw new RaffleError('INVALID_VALUE', `${name}: 숫자여야 합니다.`)
  return Number(value)
}

/** The id of the last row of the page before. */
export function toCursor(value: string | undefined): number | undefined {
  if (value === undefined || value === '') return undefined
  if (!/^\d{1,15}$/.test(value)) throw new RaffleError('INVALID_VALUE', 'cursor: 숫자여야 합니다.')
  return Number(value)
}

export function toOneOf<const T extends readonly string[]>(
  value: string | undefined,
  name: string,
  options: T,
): T[number] | undefined {
  if (value === undefined || value === '') return undefined
  if (options.includes(value)) return value
  throw new RaffleError('INVALID_VALUE', `${name}: ${options.join(', ')} 중 하나여야 합니다.`)
}

export function toQueryText(value: string | undefined, name: string): string | undefined {
  if (value === undefined || value === '') return undefined
  if (value.length > 128 || /\p{Cc}/u.test(value) || !value.isWellFormed())
    throw new RaffleError('INVALID_VALUE', `${name}: 올바른 텍스트가 아닙니다.`)
  return value
}
