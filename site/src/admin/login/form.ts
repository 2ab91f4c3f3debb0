import { t } from '../language/t.ts'
import { AdminError } from '../session/api.ts'
import { errorText, errorTexts, Trouble } from '../ui/error-text.ts'

export type LoginValues = { username: string; password: string; otpCode: string; recoveryCode: string }
export type LoginErrors = Partial<Record<keyof LoginValues, string>>

/** The rules of docs/spec.md; the server decides whether a code is right. */
export function wrongLogin(values: LoginValues): LoginErrors {
  return {
    ...(values.username.length < 1 && { username: t('사용자명을 입력하세요') }),
    ...(values.password.length < 1 && { password: t('비밀번호를 입력하세요') }),
    ...(values.otpCode.length > 6 && { otpCode: t('인증 코드는 최대 6자리입니다') }),
  }
}

/** The form's text after a refused login: ours for the codes of docs/spec.md, else the server's. */
export function loginErrorText(error: unknown): string {
  if (error instanceof Trouble) return error.message
  if (!(error instanceof AdminError)) return t('로그인 중 오류가 발생했습니다.')
  if (error.code === 'INVALID_OTP_FORMAT') return errorTexts.INVALID_OTP
  // Whatever refuses without a word, as a proxy may, was reached.
  const isSilent = error.code === undefined && error.text === undefined
  return errorText(isSilent ? undefined : error, t('로그인에 실패했습니다.'))
}
