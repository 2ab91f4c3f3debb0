import { RaffleError } from '../../core/errors.ts'
import { limit } from '../../core/server/concurrency.ts'

/**
 * Admits one call per millisecond, so that a burst is spread between the calls of visitors. A call leaves the
 * queue when it is handleAdmitted: one that sends its body slowly blocks no other. With `maxWaiting` waiting, the
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
