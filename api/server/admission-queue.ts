import { RaffleError } from '../../core/errors.ts'
import { limit } from '../../core/server/concurrency.ts'

/**
 * Admits one call each millisecond, so that a crowd is worked off between the calls of visitors instead of in one
 * go. It ends with the admission: a call that sends its body slowly keeps no other out. With `maxWaiting` waiting the
 * next one is RATE_LIMITED.
 */
export function admissionQueue(maxWaiting = 1_000): () => Promise<void> {
  const refuse = () =>
    new RaffleError('RATE_LIMITED', '요청이 너무 많습니다. 잠시 후 다시 시도해주세요.', {
      retryAfterSeconds: 5,
    })
  const turns = limit(1, { maxWaiting, refuse })
  return () =>
    new Promise((admit, reject) => {
      turns(() => {
        admit()
        return Bun.sleep(1)
      }).catch(reject)
    })
}
