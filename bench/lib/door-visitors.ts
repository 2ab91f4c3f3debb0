import { randomBytes } from 'node:crypto'
import { percentile } from './figures.ts'

/** Visitors at a steady rate for some seconds, even if answers are late: `URL READS PURCHASES SECONDS`. */
const [url = '', reads = '500', purchases = '0', seconds = '3'] = process.argv.slice(2)
const began = performance.now() + 50

const ask = (path: string, options: RequestInit = {}) =>
  fetch(url + path, options).then((answer) => answer.text())
const buy = () =>
  ask('/api/tickets/purchase', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.9.${randomBytes(2).join('.')}` },
    body: JSON.stringify({ transactionHash: `0x${randomBytes(32).toString('hex')}` }),
  })

/** Latencies from the due time, so a delayed loader does not improve the server's result. */
async function pace(rate: number, call: () => Promise<unknown>): Promise<number[]> {
  const latencies: number[] = []
  const asked: Promise<unknown>[] = []
  for (let i = 0; i < rate * Number(seconds); i++) {
    const dueAt = began + (i * 1000) / rate
    const early = dueAt - performance.now()
    if (early > 1) await Bun.sleep(early)
    const from = Math.min(dueAt, performance.now())
    asked.push(call().then(() => latencies.push(performance.now() - from)))
  }
  await Promise.all(asked)
  return latencies
}

const [got, bought] = await Promise.all([
  pace(Number(reads), () => ask('/api/raffle/config')),
  pace(Number(purchases), buy),
])
console.log(
  JSON.stringify({ p50: percentile(got, 0.5), p99: percentile(got, 0.99), bought: percentile(bought, 0.99) }),
)
