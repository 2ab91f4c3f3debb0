import { createHash } from 'node:crypto'
import { inject } from 'vitest'
import type { Clock } from '../../core/server/time.ts'

/** Whole seconds since 1970; so far from now that the pace of the machine does not matter to rules of the database. */
export const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

/** A date of a whole second, so many from now: a date that is stored and read again is equal to itself. */
export const fromNow = (seconds: number): Date => new Date(secondsFromNow(seconds) * 1000)

/** A date of a whole second, so many days from now: what is to stay in the future or the past is days away. */
export const daysFromNow = (days: number): Date => fromNow(days * 86_400)

/** For a chain whose requests may take however long: a busy machine is no endpoint that fails. */
export const patient: Pick<Clock, 'sleep'> = {
  sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
}

export type Chance = {
  /** The next so many bytes. */
  bytes: (length: number) => Buffer
  /** The next so many bytes as 0x and hexadecimal digits, such as an address or a hash. */
  hex: (length: number) => `0x${string}`
  /** The next whole number from 0 to `below` - 1. */
  int: (below: number) => number
}

/** What looks like chance and is the same in each run with the same `SEED`: a stream of bytes for each label. */
export function chance(label: string): Chance {
  let block = 0
  let rest = Buffer.alloc(0)
  function bytes(length: number): Buffer {
    while (rest.length < length) {
      const hash = createHash('sha256').update(`${inject('seed')} ${label} ${block++}`)
      rest = Buffer.concat([rest, hash.digest()])
    }
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return taken
  }
  return {
    bytes,
    hex: (length) => `0x${bytes(length).toString('hex')}`,
    int: (below) => bytes(6).readUIntBE(0, 6) % below,
  }
}
