import { RaffleError } from '../../core/errors.ts'
import {
  maxPasswordLength,
  minPasswordLength,
  type PasswordWeakness,
  weaknessOfPassword,
} from '../../core/server/password.ts'

const texts: Record<PasswordWeakness, string> = {
  length: `비밀번호는 ${minPasswordLength}자 이상 ${maxPasswordLength}자 이하여야 합니다.`,
  common: '너무 흔한 비밀번호입니다. 다른 비밀번호를 사용해주세요.',
  username: '비밀번호에 사용자명을 포함할 수 없습니다.',
}

/** Throws WEAK_PASSWORD with the reason. */
export async function expectStrong(password: string, username: string): Promise<void> {
  const weakness = await weaknessOfPassword(password, username)
  if (weakness) throw new RaffleError('WEAK_PASSWORD', texts[weakness])
}
