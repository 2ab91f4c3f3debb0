import { readFileSync } from 'node:fs'
import pino from 'pino'
import { serve } from '../../api/server/serve.ts'
import { connect } from '../../db/index.ts'
import { buildApi } from '../../e2e/lab/build-api.ts'

/**
 * The API with measurements of its own event loop and memory. `/watch` on the second port returns those since
 * the last call: the longest stall of the loop in ms and the peak resident memory in MiB.
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
/** The same without the time this thread waited for a busy core. */
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
/** Milliseconds that this thread was ready but not running; 0 where the system does not report it. */
function waitedMs(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
console.log(JSON.stringify({ port: server.port, watchPort: watch.port }))
