import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'

/** argon2id, 19 MiB, 2 passes, 1 lane; computed off the event loop. */
export const hashPassword = (password: string): Promise<string> =>
  hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

/** 96 random bits; shown once, to be changed after the first login. */
export const oneTimePassword = (): string => randomBytes(12).toString('base64url')
