import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bumpVersion } from '../../db/event/version.ts'
import { closeAll, closeLater, startApi } from '../../e2e/lab/api-process.ts'
import { openSale, type Sale } from '../../e2e/lab/sale.ts'
import { until } from '../../e2e/lab/until.ts'
import { startWorkerProcess } from '../../e2e/lab/worker-process.ts'
import { watchCommand } from './watch.ts'

let sale: Sale
let site: string

/** One answer of the command, with what it printed. */
async function watch(url: string, ...args: string[]) {
  const [lines, alarms]: [string[], string[]] = [[], []]
  const all = ['--site', url, '--rpc', sale.chain.url, '--once', '--tolerance', '1', ...args]
  const code = await watchCommand(all, { print: (l) => lines.push(l), alarm: (l) => alarms.push(l) })
  return { code, alarms: alarms.join('\n'), text: lines.join('\n') }
}

/** A site that stands before the real one and tells some answers otherwise. */
function forge(path: string, change: (text: string) => string): string {
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      const answer = await fetch(site + pathname)
      const text = await answer.text()
      return new Response(pathname.includes(path) ? change(text) : text, { status: answer.status })
    },
  })
  onTestFinished(() => server.stop(true))
  return `http://127.0.0.1:${server.port}`
}
const sold = async (): Promise<number> =>
  ((await (await fetch(`${site}/api/raffle/stats`)).json()) as { ticketsSold: number }).ticketsSold

async function pay(buyer: number, cents: number): Promise<void> {
  await sale.chain.submitPayment({ from: sale.chain.buyers[buyer] as `0x${string}`, cents })
  await sale.chain.mine()
}

/** Database, chain, api and worker as they run in production. */
beforeAll(async () => {
  sale = await openSale()
  closeLater(sale.close)
  const api = await startApi(sale.databaseUrl, { RPC_URLS: sale.chain.url })
  await api.ready
  site = api.url
  const worker = await startWorkerProcess({ databaseUrl: sale.databaseUrl, rpcUrls: sale.chain.url })
  closeLater(worker.stop)
  await pay(0, 99_00)
  await pay(1, 3_50)
  await pay(2, 2_00)
  await pay(3, 15_00)
  await sale.chain.finalize()
  await until(async () => (await sold()) === 39, 'the tickets')
})
afterAll(closeAll)

test('an honest site agrees with the chain', async () => {
  const { code, alarms, text } = await watch(site)
  expect([code, alarms]).toEqual([0, ''])
  expect(text).toContain('event 1: 39 tickets on the site, 39 on the chain')
})

describe('a forged site alarms:', () => {
  const stats = (tickets: number) => (text: string) =>
    text.replace('"ticketsSold":39', `"ticketsSold":${tickets}`)

  test('with more tickets than the chain has', async () => {
    const { code, alarms } = await watch(forge('/stats', stats(44)))
    expect(alarms).toMatch(/^ALARM .*the site counts 44 tickets, the chain has 39$/)
    expect(code).toBe(1)
  })

  test('without a payment that was long final', async () => {
    const { code, alarms } = await watch(forge('/stats', stats(34)))
    expect(alarms).toContain('the site counts 34 tickets, the chain had 39')
    expect(code).toBe(1)
  })

  test('with an invented purchase above the last ticket of the chain', async () => {
    const invented = {
      ...{ id: 9_999, ticketNumber: 40, ticketCount: 33, createdAt: new Date().toISOString(), amount: 99_00 },
      ...{ transactionHash: `0x${'fa'.repeat(32)}`, walletAddress: `0x${'fe'.repeat(20)}` },
    }
    const more = (text: string) => text.replace('[', `[${JSON.stringify(invented)},`)
    const { code, alarms } = await watch(forge('/recent', more))
    expect(alarms).toMatch(/^ALARM .*the site shows ticket 72, the chain has 39$/)
    expect(code).toBe(1)
  })

  test('whose page shows another wallet or price than the terms promise', async () => {
    const other = `0x${'ee'.repeat(20)}`
    const wallet = (text: string) => text.replace(/"operatorWallet":"0x.{40}"/, `"operatorWallet":"${other}"`)
    expect((await watch(forge('/config', wallet))).alarms).toContain(
      `the site shows wallet ${other}, its terms`,
    )
    const price = (text: string) => text.replace('"ticketPrice":3', '"ticketPrice":4')
    expect((await watch(forge('/stats', price))).alarms).toContain('the site shows ticket price 4000')
  })
})

test('a site or an endpoint that is away is no lie: it ends with 2', async () => {
  expect(await watch('http://127.0.0.1:9')).toMatchObject({ code: 2, alarms: '' })
  expect(await watch(site, '--rpc', 'http://127.0.0.1:9/secret-key')).toMatchObject({ code: 2, alarms: '' })
})

test.each([
  ['config', '{}'],
  ['config', 'null'],
  ['config', '{"eventNumber":'],
  ['stats', '{"ticketsSold":"39","ticketPrice":3}'],
  ['recent', '[null]'],
  ['recent', '{}'],
])('an answer that no site gives alarms: %s %s', async (path, answer) => {
  const { code, alarms } = await watch(forge(`/${path}`, () => answer))
  expect(alarms).toMatch(/^ALARM .* an answer cannot be read: /)
  expect(code).toBe(2)
})

test('the published list is compared line by line', async () => {
  const { timestamp } = await sale.chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  const end = Number(timestamp) + 2
  await sale.db.execute(
    sql`update events set sale_end = to_timestamp(${end}), draw_date = to_timestamp(${end + 86_400})`,
  )
  await sale.db.transaction((tx) => bumpVersion(tx))
  await sale.chain.rpc('evm_setNextBlockTimestamp', [end])
  await sale.chain.mine()
  await sale.chain.finalize()
  await until(async () => (await fetch(`${site}/api/raffle/ledger/1`)).status === 200, 'the list')
  expect(await watch(site)).toMatchObject({ code: 0, alarms: '' })

  const swapped = (text: string) => text.replace(/^(34,1,0x.{64},)0x.{40}/m, `$10x${'fe'.repeat(20)}`)
  const { code, alarms } = await watch(forge('/ledger/', swapped))
  expect(alarms).toMatch(/line 3 of the site's list is "34,1,.*0xfefe.*", by the chain it is "34,1,/)
  expect(code).toBe(1)
})
