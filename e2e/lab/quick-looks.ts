import type { BrowserContext } from 'playwright-core'
import { connectJobs } from '../../core/server/queue.ts'
import { heightOf } from './chain-verbs.ts'

/**
 * The page's regular looks at server and wallet come four times as often; what it shows for a while, it shows as long as
 * ever. A story that is over sooner says the same.
 */
export const lookOften = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript((times: number) => {
    const { setTimeout: once, setInterval: always } = window
    const second = 1_000
    Object.assign(window, {
      setTimeout: (act: TimerHandler, ms = 0, ...rest: unknown[]) =>
        once(act, ms === second ? ms / times : ms, ...rest),
      setInterval: (act: TimerHandler, ms = 0, ...rest: unknown[]) =>
        always(act, ms >= second ? ms / times : ms, ...rest),
    })
  }, 4)

/** The worker looks at what the wallets send with each new block, and not with its own round every two seconds. */
export function watchEachBlock({ databaseUrl, rpcUrl }: { databaseUrl: string; rpcUrl: string }) {
  const jobs = connectJobs({ databaseUrl, redisUrl: undefined }, () => undefined)
  let isStopped = false
  const watching = (async () => {
    for (let before = 0; !isStopped; await Bun.sleep(50)) {
      const height = await heightOf(rpcUrl).catch(() => before)
      if (height === before) continue
      before = height
      await jobs.enqueue('watch-refunds', {}, { jobId: `watch-refunds-block-${height}` })
    }
  })()
  return {
    stop: async () => {
      isStopped = true
      await watching
      await jobs.close()
    },
  }
}
