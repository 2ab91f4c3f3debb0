import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'

/** argon2id, 19 MiB, 2 passes, 1 lane; computed off the event loop. */
export const hashPassword = (password: string): Promise<string> =>
  hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

/** 96 random bits; shown once, good for a day, to be changed at the first login. */
export const oneTimePassword = (): string => randomBytes(12).toString('base64url')

/** What is printed of it; the password ends its line. */
export const printedPassword = ({ username, password }: { username: string; password: string }): string =>
  `It is good for 24 hours and has to be changed at the first login.\nAdministrator ${username}, one-time password ${password}`

export const minPasswordLength = 8
export const maxPasswordLength = 128

let common: Promise<Set<string>> | undefined

/** Too short or long, common or of fewer than three characters, or with the username in it. */
export async function weaknessOfPassword(password: string, username: string) {
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
