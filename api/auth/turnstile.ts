import { RaffleError } from '../../core/errors.ts'

/**
 * Lets one call through each millisecond, so that a crowd is worked off between the calls of visitors instead of in
 * one go. Nobody holds a place: whoever sends his body slowly keeps no one out. With `maxWaiting` waiting the next
 * one is RATE_LIMITED.
 */
export function turnstile(maxWaiting = 1_000) {
  const waiting: (() => void)[] = []
  let isTurning = false

  function nextTurn(): void {
    const begin = waiting.shift()
    isTurning = begin !== undefined
    if (!begin) return
    begin()
    setTimeout(nextTurn, 1)
  }

  return async (): Promise<void> => {
    if (!isTurning) {
      isTurning = true
      setTimeout(nextTurn, 1)
      return
    }
    if (waiting.length >= maxWaiting)
      throw new RaffleError('RATE_LIMITED', '요청이 너무 많습니다. 잠시 후 다시 시도해주세요.', {
        retryAfterSeconds: 5,
      })
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
}
