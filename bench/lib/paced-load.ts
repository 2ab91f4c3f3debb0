import { percentile } from './figures.ts'

/** Asks for a URL at a steady rate, whether answers come or not, for some seconds: `URL RATE SECONDS`. */
const [url = '', rate = '500', seconds = '3'] = process.argv.slice(2)
const everyMs = 1000 / Number(rate)
const count = Number(rate) * Number(seconds)
const latencies: number[] = []
const start = performance.now()
const asked: Promise<void>[] = []
for (let i = 0; i < count; i++) {
  const dueAt = start + i * everyMs
  const early = dueAt - performance.now()
  if (early > 1) await Bun.sleep(early)
  // From when it was due: a loader that is held up does not flatter the server.
  const from = Math.min(dueAt, performance.now())
  asked.push(
    fetch(url).then(async (response) => {
      await response.arrayBuffer()
      latencies.push(performance.now() - from)
    }),
  )
}
await Promise.all(asked)
console.log(JSON.stringify({ p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) }))
