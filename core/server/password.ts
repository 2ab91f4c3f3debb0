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
