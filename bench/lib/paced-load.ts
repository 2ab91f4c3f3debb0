import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { percentile } from './figures.ts'

/**
 * Calls at a steady rate, even if answers are late: `read URL RATE SECONDS` gets the config, `post URL RATE SECONDS` posts
 * purchases, each by another visitor, and `insert DATABASE_URL RATE SECONDS` puts the same claims as bare rows. A latency
 * counts from the due time, so a delayed loader does not improve the server's result.
 */
const [way = '', url = '', rate = '50', seconds = '10'] = process.argv.slice(2)
const hash = () => `0x${randomBytes(32).toString('hex')}`

const sql = way === 'insert' ? postgres(url, { max: 10 }) : undefined
const calls: Record<string, () => Promise<unknown>> = {
  read: () => fetch(`${url}/api/raffle/config`).then((answer) => answer.text()),
  post: async () => {
    const answer = await fetch(`${url}/api/tickets/purchase`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.${randomBytes(3).join('.')}` },
      body: JSON.stringify({ transactionHash: hash() }),
    })
    const told = await answer.text()
    if (answer.status !== 202) throw new Error(`A purchase was answered ${answer.status}: ${told}`)
  },
  insert: async () =>
    sql?.unsafe('insert into claims (transaction_hash) values ($1)', [hash()], { prepare: true }),
}
const call = calls[way] as () => Promise<unknown>
for (let n = 0; n < 20; n++) await call() // connections are open, statements prepared

const times: number[] = []
const asked: Promise<unknown>[] = []
const count = Number(rate) * Number(seconds)
const began = performance.now() + 20
for (let n = 0; n < count; n++) {
  const dueAt = began + (n * 1000) / Number(rate)
  const early = dueAt - performance.now()
  if (early > 1) await Bun.sleep(early)
  const from = Math.min(dueAt, performance.now())
  asked.push(call().then(() => times.push(performance.now() - from)))
}
await Promise.all(asked)
const held = (count * 1000) / (performance.now() - began)
await sql?.end()
console.log(JSON.stringify({ p50: percentile(times, 0.5), p99: percentile(times, 0.99), held }))
