import { t } from '../language/t.ts'

export type AccountValues = {
  currentPassword: string
  newUsername: string
  newPassword: string
  confirmation: string
}
export type AccountErrors = Partial<Record<keyof AccountValues, string>>

/** After a login with a printed password only a new one is asked for. */
export type FirstValues = Omit<AccountValues, 'newUsername'>
export type FirstErrors = Partial<Record<keyof FirstValues, string>>

export const emptyFirst: FirstValues = { currentPassword: '', newPassword: '', confirmation: '' }

/** Its errors: as those of an account change, and it cannot stay the same. */
export function wrongFirst(values: FirstValues): FirstErrors {
  const { newUsername: _, ...wrong } = wrongAccount({ ...values, newUsername: '' })
  if (values.newPassword === '') return { ...wrong, newPassword: t('새 비밀번호를 입력해주세요') }
  if (values.newPassword === values.currentPassword)
    return { ...wrong, newPassword: t('일회용 비밀번호와 다른 비밀번호를 입력해주세요') }
  return wrong
}

export const emptyAccount: AccountValues = {
  currentPassword: '',
  newUsername: '',
  newPassword: '',
  confirmation: '',
}

/** Errors of an account change; the server checks the strength of the password too. */
export function wrongAccount(values: AccountValues): AccountErrors {
  const { currentPassword, newUsername, newPassword, confirmation } = values
  const isNothing = newUsername.trim() === '' && newPassword === ''
  return {
    ...(currentPassword === '' && { currentPassword: t('현재 비밀번호를 입력해주세요') }),
    ...(isNothing && { newUsername: t('새 사용자명 또는 새 비밀번호를 입력해주세요') }),
    ...(newPassword !== '' &&
      newPassword.length < 8 && { newPassword: t('비밀번호는 8자 이상이어야 합니다') }),
    ...(newPassword !== '' &&
      newPassword !== confirmation && { confirmation: t('새 비밀번호가 일치하지 않습니다') }),
  }
}
