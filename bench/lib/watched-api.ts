import { readFileSync } from 'node:fs'
import pino from 'pino'
import { serve } from '../../api/server/serve.ts'
import { connect } from '../../db/index.ts'
import { buildApi } from '../../e2e/lab/build-api.ts'

/**
 * The API with a watch on its own event loop and memory. `/watch` on the second port answers what was seen
 * since it was asked last: the longest stop of the loop in ms and the most resident memory in MiB.
 */
const [databaseUrl = ''] = process.argv.slice(2)
const { db } = connect(databaseUrl)
const log = pino({ level: 'warn' }, pino.destination(2))
const { app, state } = buildApi(
  { db, url: databaseUrl },
  { log, addresses: { trustedProxies: ['127.0.0.0/8'], siteProxyToken: undefined } },
)
await state.refresh()
const server = serve(app, { port: 0, hostname: '127.0.0.1', log })

const everyMs = 5
let longestMs = 0
/** The same without the time in which this thread waited for a core that others had. */
let longestOwnMs = 0
let waited = waitedMs()
let peak = 0
let last = performance.now()
setInterval(() => {
  const now = performance.now()
  const waitedNow = waitedMs()
  longestMs = Math.max(longestMs, now - last - everyMs)
  longestOwnMs = Math.max(longestOwnMs, now - last - everyMs - (waitedNow - waited))
  waited = waitedNow
  last = now
  peak = Math.max(peak, process.memoryUsage.rss())
}, everyMs)

const watch = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => {
    const rss = process.memoryUsage.rss()
    const seen = { longestMs, longestOwnMs, peak: Math.max(peak, rss) / 2 ** 20, rss: rss / 2 ** 20 }
    longestMs = 0
    longestOwnMs = 0
    peak = rss
    return Response.json(seen)
  },
})
/** Milliseconds that this thread was ready to run and did not, where Linux tells it. */
function waitedMs(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
console.log(JSON.stringify({ port: server.port, watchPort: watch.port }))
