import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { RaffleError } from '../../core/errors.ts'
import { fairQueue } from '../../core/server/fair-queue.ts'
import { hashPassword } from '../../core/server/password.ts'
import { compare } from './compare.ts'

/** At most two, and one core stays free for the event loop. */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
const maxWaiting = 20

type Check<T> = {
  who: string
  rank: number
  find: () => Promise<T | undefined>
  failed: () => Promise<void>
}
export type PasswordCheck = ReturnType<typeof passwordCheck>

/** Of nobody's password; made before the first login comes. */
let noHash: Promise<string> | undefined

/**
 * Compares passwords, one or two at a time with 20 waiting, since each takes 19 MiB and a core for some
 * milliseconds; of more, the one with the most failures is refused with LOGIN_THROTTLED. For an unknown user a dummy
 * hash is compared, which takes as long as a wrong password.
 */
export function passwordCheck(verify: (hash: string, password: string) => Promise<boolean> = compare) {
  noHash ??= hashPassword(randomBytes(16).toString('hex'))
  const dummy = noHash
  const inTurn = fairQueue(atOnce, { maxWaiting, refuse: () => throttled(2) })

  /**
   * The user whose password it is. `find` and `failed` run inside the slot, so counts are off by at most two. The
   * lowest rank is first; `who` has several at once only behind others.
   */
  return <T extends { passwordHash: string }>(
    password: string,
    { who, rank, find, failed }: Check<T>,
  ): Promise<T | undefined> =>
    inTurn(who, rank, async () => {
      const found = await find()
      const isRight = await verify(found?.passwordHash ?? (await dummy), password)
      if (found && isRight) return found
      await failed()
      return undefined
    })
}

export const throttled = (retryAfterSeconds: number): RaffleError =>
  new RaffleError('LOGIN_THROTTLED', '로그인 시도가 너무 많습니다. 잠시 후 다시 시도해주세요.', {
    retryAfterSeconds,
  })
