import { RaffleError } from '../../core/errors.ts'

const aTurn = 4
const maxWaiting = 1_000

/**
 * Lets a few calls begin at each turn of the event loop, so that a crowd at the login is worked off between
 * the calls of visitors instead of in one go. Nobody holds a place: whoever sends his body slowly keeps no one
 * out. With 1,000 waiting the next one is RATE_LIMITED.
 */
export function turnstile() {
  const waiting: (() => void)[] = []
  let begun = 0

  function nextTurn(): void {
    begun = Math.min(aTurn, waiting.length)
    for (const begin of waiting.splice(0, begun)) begin()
    if (begun > 0) setImmediate(nextTurn)
  }

  return async (): Promise<void> => {
    if (begun < aTurn) {
      if (begun++ === 0) setImmediate(nextTurn)
      return
    }
    if (waiting.length >= maxWaiting)
      throw new RaffleError('RATE_LIMITED', '요청이 너무 많습니다. 잠시 후 다시 시도해주세요.', {
        retryAfterSeconds: 5,
      })
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
}
