import { type ErrorTexts, errorSentence, RaffleError } from '../../../../core/errors.ts'
import { language, t } from '../language/t.ts'
import { AdminError } from '../session/session.ts'

/** The administrator closed a dialog: nothing happened, and no message is shown. */
export class Cancelled extends Error {
  override name = 'Cancelled'
}

/** An error in the browser; its message is shown to the administrator unchanged. */
export class Trouble extends Error {
  override name = 'Trouble'
}

/** The sentences of the servers' codes, in the chosen language. @internal */
export const errorTexts: ErrorTexts = (
  language === 'en'
    ? await import('../../../../core/error-texts/en.json')
    : await import('../../../../core/error-texts/ko.json')
).default

/** @internal */
export const networkText = t('서버에 연결할 수 없습니다. 네트워크를 확인한 뒤 다시 시도해주세요.')

/** The sentence for the code; the server's where this page does not know it, as after a release; else `otherwise`. */
export function errorText(error: unknown, otherwise: string): string {
  if (error instanceof Trouble) return error.message
  if (error instanceof RaffleError) return sentenceOf(error) ?? otherwise
  if (!(error instanceof AdminError)) return isNetwork(error) ? networkText : otherwise
  return sentenceOf(error) ?? error.text ?? (error.status >= 500 ? networkText : otherwise)
}

/** Without the name that a value has in the call: people see the field itself. */
const sentenceOf = ({ code, values }: Pick<AdminError, 'code' | 'values'>): string | undefined =>
  code && errorSentence(errorTexts, { code, values: { ...values, name: undefined } })?.replace('{name}: ', '')

/** `fetch` rejects with a TypeError, our own deadline with a TimeoutError. */
const isNetwork = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')
