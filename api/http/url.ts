import { RaffleError } from '../../core/errors.ts'
import { toText } from './fields.ts'

/** An https URL without a password in it; throws INVALID_URL. */
export function toHttpsUrl(value: unknown, name: string): string {
  const message = `${name}: https:// 로 시작하는 올바른 주소가 아닙니다.`
  const text = toText(value, name, { max: 2_048, code: 'INVALID_URL', message }).trim()
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' || url.username || url.password || !/^https:\/\/[^\s\\]+$/i.test(text))
    throw new RaffleError('INVALID_URL', message)
  return text
}
