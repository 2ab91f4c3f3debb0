import { AdminError } from '../frame/api.ts'
import { errorText, errorTexts } from '../frame/error-text.ts'

export type LoginValues = { username: string; password: string; otpCode: string; recoveryCode: string }
export type LoginErrors = Partial<Record<keyof LoginValues, string>>

/** The rules of docs/spec.md; whether a code is right is for the server to say. */
export function wrongLogin(values: LoginValues): LoginErrors {
  return {
    ...(values.username.length < 1 && { username: '사용자명을 입력하세요' }),
    ...(values.password.length < 1 && { password: '비밀번호를 입력하세요' }),
    ...(values.otpCode.length > 6 && { otpCode: '인증 코드는 최대 6자리입니다' }),
  }
}

/** What the form says after a refused login; by the codes of docs/spec.md, others in the server's words. */
export function loginErrorText(error: unknown): string {
  if (!(error instanceof AdminError)) return '로그인 중 오류가 발생했습니다.'
  if (error.code === 'INVALID_OTP_FORMAT') return errorTexts.INVALID_OTP
  return errorText(error, '로그인에 실패했습니다.')
}
