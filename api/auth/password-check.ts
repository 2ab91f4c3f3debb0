import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { RaffleError } from '../../core/errors.ts'
import { hashPassword } from '../../db/password.ts'
import { compare } from './compare.ts'

/** Two, but one core is left to the event loop. */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
/** More at once are refused. */
export const maxInHand = 22
const maxWaiting = maxInHand - atOnce

export type PasswordCheck = ReturnType<typeof passwordCheck>

/**
 * Compares passwords, one or two at a time with 20 waiting, since each takes 19 MiB and a core for some
 * milliseconds; the next one is refused with LOGIN_THROTTLED. Without a hash a hash of nothing is compared:
 * an unknown user takes as long as a wrong password.
 */
export function passwordCheck(verify: (hash: string, password: string) => Promise<boolean> = compare) {
  const noHash = hashPassword(randomBytes(16).toString('hex'))
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < atOnce) {
      running++
      return
    }
    if (waiting.length >= maxWaiting) throw throttled(2)
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  /** `before` and `failed` run with the slot taken: what they count and note is exact to two. */
  return async (
    hash: string | undefined,
    password: string,
    { before, failed }: { before: () => Promise<void>; failed: () => Promise<void> },
  ): Promise<boolean> => {
    await enter()
    try {
      await before()
      const isRight = (await verify(hash ?? (await noHash), password)) && hash !== undefined
      if (!isRight) await failed()
      return isRight
    } finally {
      leave()
    }
  }
}

export const throttled = (retryAfterSeconds: number): RaffleError =>
  new RaffleError('LOGIN_THROTTLED', '로그인 시도가 너무 많습니다. 잠시 후 다시 시도해주세요.', {
    retryAfterSeconds,
  })
