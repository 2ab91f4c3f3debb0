export const minPasswordLength = 8
export const maxPasswordLength = 128

export type PasswordWeakness = 'length' | 'common' | 'username'

let common: Promise<Set<string>> | undefined

/**
 * Why a password is too weak: too short or long, common or of fewer than three different characters, or with the
 * username in it. Undefined if it is not.
 */
export async function weaknessOfPassword(
  password: string,
  username: string,
): Promise<PasswordWeakness | undefined> {
  if (password.length < minPasswordLength || password.length > maxPasswordLength) return 'length'
  const lower = password.toLowerCase()
  common ??= loadCommon()
  if ((await common).has(lower) || new Set(lower).size < 3) return 'common'
  return username.length >= 3 && lower.includes(username.toLowerCase()) ? 'username' : undefined
}

/** 18,000 leaked passwords of at least the minimum length; loaded when first needed. */
async function loadCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= minPasswordLength))
}
