import { percentile } from './figures.ts'

/** Requests a URL at a steady rate, even if answers are late, for some seconds: `URL RATE SECONDS`. */
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
  // Measured from the due time, so a delayed loader does not improve the server's result.
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
