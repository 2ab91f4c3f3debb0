import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { proveWallet } from '../../db/event/own-wallets.ts'
import { stopSale } from '../../db/event/sale.ts'
import { updateEvent } from '../../db/event/update.ts'
import { bumpVersion } from '../../db/event/version.ts'
import { closeAll, closeLater, startApi } from '../../e2e/lab/api-process.ts'
import { operator } from '../../e2e/lab/chain.ts'
import { openSale, type Sale } from '../../e2e/lab/sale.ts'
import { until } from '../../e2e/lab/until.ts'
import { usdt } from '../../e2e/lab/usdt.ts'
import { startWorkerProcess } from '../../e2e/lab/worker-process.ts'
import { createWatcher } from './watch/watcher.ts'

/** One site through its life, and one watch that follows it from the start. */
let sale: Sale
let site: string
let look: ReturnType<typeof createWatcher>
let edge: string
let next: Address
const rules = { terms: { ...parseEnv({}), operatorWallet: operator }, pinnedWallet: undefined }

beforeAll(async () => {
  sale = await openSale()
  closeLater(sale.close)
  next = sale.chain.buyers[6] as Address
  const api = await startApi(sale.databaseUrl, { RPC_URLS: sale.chain.url })
  await api.ready
  site = api.url
  const worker = await startWorkerProcess({ databaseUrl: sale.databaseUrl, rpcUrls: sale.chain.url })
  closeLater(worker.stop)
  const cache = cacheBefore(site)
  closeLater(cache.stop)
  edge = cache.url
  look = createWatcher({ site: edge, rpcs: [sale.chain.url], chainId: 56, token: usdt, toleranceMs: 1_000 })
})
afterAll(closeAll)

/** A CDN that keeps each answer for the second that the site allows. */
function cacheBefore(origin: string) {
  const kept = new Map<string, { until: number; text: string; status: number }>()
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      let answer = kept.get(pathname)
      if (!answer || answer.until < performance.now()) {
        const fresh = await fetch(origin + pathname)
        answer = { until: performance.now() + 1_000, text: await fresh.text(), status: fresh.status }
        kept.set(pathname, answer)
      }
      return new Response(answer.text, { status: answer.status })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

async function pay(buyer: number, to: Address, cents: number): Promise<void> {
  await sale.chain.submitPayment({ from: sale.chain.buyers[buyer] as Address, to, cents })
  await sale.chain.mine()
  await sale.chain.finalize()
}
const told = async (path: string, from = site) => (await fetch(`${from}/api/${path}`)).json()
const sold = async () => ((await told('raffle/stats')) as { ticketsSold: number }).ticketsSold
type Told = { ownWallets: { since: string }[]; saleEndDate: string | null }
/** As the watch is told. The chain of a test runs ahead of the clock, and the cache must not lag behind it. */
const toldAtEdge = async () => (await told('raffle/config', edge)) as Told
/** What the watch says until it agrees; it must not alarm on the way. */
async function agrees(text: string): Promise<void> {
  let said = ''
  await until(
    async () => {
      const verdict = await look()
      said = `${verdict.kind}: ${verdict.text}`
      if (verdict.kind === 'differs') throw new Error(said)
      return verdict.kind === 'agrees' && verdict.text.includes(text)
    },
    () => said,
  )
}
/** The chain comes to this moment. */
async function reach(date: Date): Promise<void> {
  const { timestamp } = await sale.chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  const seconds = Math.max(Number(timestamp) + 1, Math.ceil(date.getTime() / 1000))
  await sale.chain.rpc('evm_setNextBlockTimestamp', [seconds])
  await sale.chain.finalize()
}

test('a wallet and a cap that are set before the first ticket are no lie, and what is beyond the cap is on no list', async () => {
  await agrees('0 tickets on the site')
  await updateEvent(sale.db, { operatorWallet: next, maxPerWallet: 33 }, rules)
  await reach((await getOpenEvent(sale.db))?.saleStart as Date)
  await pay(0, next, 99_00)
  await pay(0, next, 3_00)
  await until(async () => (await sold()) === 33, 'the tickets')
  await agrees('33 tickets on the site, 33 on the chain')
})

test('an own wallet counts from its moment on, however many changes came after it', async () => {
  await proveWallet(sale.db, 1, next)
  await sale.db.execute(sql`insert into changes (event_number, field, "from", "to")
    select 1, 'anchor', null, n::text from generate_series(1, 300) n`)
  await sale.db.execute(sql`insert into operator_wallets (address, own_since)
    select ${sale.chain.buyers[2]}, own_since from operator_wallets where address = ${next}`)
  await sale.db.transaction((tx) => bumpVersion(tx))
  const own = async () => (await toldAtEdge()).ownWallets
  await until(async () => (await own()).length === 2, 'the own wallets')
  await reach(new Date((await own())[0]?.since as string))
  await pay(2, next, 30_00)
  await pay(1, next, 3_00)
  await until(async () => (await sold()) === 34, 'the ticket')
  await agrees('34 tickets on the site, 34 on the chain')
})

test('a sale that is stopped, and money that comes after it, is no lie', async () => {
  await agrees('34 tickets')
  const { saleEnd } = await stopSale(sale.db)
  await until(async () => (await toldAtEdge()).saleEndDate !== null, 'the sale end')
  await reach(saleEnd as Date)
  await pay(3, next, 30_00)
  await until(async () => (await fetch(`${site}/api/raffle/ledger/1`)).status === 200, 'the list')
  await agrees('34 tickets on the site, 34 on the chain')
})

test('the next event after an archive is followed, though a cache tells some of the former one a little longer', async () => {
  await fetch(`${edge}/api/raffle/stats`) // seen by another reader a moment before
  await sale.db.execute(sql`update events set archived_at = now()`)
  await sale.db.execute(sql`insert into events (number, ticket_price, sale_lead_seconds, operator_wallet, chain_id, token,
    min_tickets, sale_start) select 2, ticket_price, sale_lead_seconds, operator_wallet, chain_id, token, 1,
    (select date_trunc('second', greatest(now(), newest_block_time)) + interval '1 second' from scan_cursor) from events`)
  await sale.db.transaction((tx) => bumpVersion(tx))
  await agrees('event 2: 0 tickets')
})

test('terms that change after the first ticket, or backwards, are a lie', async () => {
  await reach((await getOpenEvent(sale.db))?.saleStart as Date)
  await pay(1, next, 9_00)
  await until(async () => (await sold()) === 3, 'the tickets')
  await agrees('event 2: 3 tickets')
  await reach(new Date(Date.now() + 600_000))
  await agrees('event 2: 3 tickets')
  await agrees('event 2: 3 tickets')
  const past = sql`select to_timestamp(extract(epoch from sale_start) + 1) from events where number = 2`
  await sale.db.execute(
    sql`update events set sale_end = (${past}), draw_date = now() + interval '30 days' where number = 2`,
  )
  await sale.db.transaction((tx) => bumpVersion(tx))
  const alarms: string[] = []
  await until(async () => {
    const { kind, text } = await look()
    return kind === 'differs' && alarms.push(text)
  }, 'the alarm')
  expect(alarms[0]).toMatch(/moved the sale end from none to .* when it had passed/)
})
