import { RaffleError } from '../../core/errors.ts'

const minLength = 8
const maxLength = 128

let common: Promise<Set<string>> | undefined

/**
 * Throws WEAK_PASSWORD for a password that is too short or long, common, made of fewer than three different
 * characters, or contains the username.
 */
export async function expectStrong(password: string, username: string): Promise<void> {
  if (password.length < minLength || password.length > maxLength)
    throw weak(`비밀번호는 ${minLength}자 이상 ${maxLength}자 이하여야 합니다.`)
  const lower = password.toLowerCase()
  common ??= loadCommon()
  if ((await common).has(lower) || new Set(lower).size < 3)
    throw weak('너무 흔한 비밀번호입니다. 다른 비밀번호를 사용해주세요.')
  if (username.length >= 3 && lower.includes(username.toLowerCase()))
    throw weak('비밀번호에 사용자명을 포함할 수 없습니다.')
}

/** 18,000 leaked passwords of at least the minimum length; loaded when first needed. */
async function loadCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= minLength))
}

const weak = (text: string) => new RaffleError('WEAK_PASSWORD', text)
