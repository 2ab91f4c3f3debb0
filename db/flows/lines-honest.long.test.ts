import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { Proof } from '../../core/draw/proof.ts'
import { createFlowsReader, type FlowsHead } from '../../core/flows/file.ts'
import { groupPayments } from '../../core/payment/payment.ts'
import { createFlowsWalk } from '../../core/verify/flow-classes.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { openWallet, reckonTo } from '../../e2e/lab/flows-story.ts'
import { alice, bob, envTerms, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { applyEnvironment } from '../event/environment.ts'
import { type Event, getOpenEvent, watchWallet } from '../event/events.ts'
import { termsOf } from '../event/terms.ts'
import { updateEvent } from '../event/update.ts'
import type { Db } from '../index.ts'
import { events, walletOpenings } from '../schema/index.ts'
import { flowsFilePages, getFlowsHead } from './lines.ts'
import { saveOpening } from './openings.ts'
import { saveReceipts } from './receipts.ts'

// Files that Postgres makes of odd but honest books: whoever checks them by the rules must find nothing.
const own = forEachTest(testDb)

async function checked(db: Db, event: Event) {
  const head = (await getFlowsHead(db, event.number)) as FlowsHead
  const text = (await Array.fromAsync(flowsFilePages(db, head))).map((page) => page.text).join('')
  const proof = {
    ...{
      eventNumber: event.number,
      operatorWallet: event.operatorWallet,
      ticketPrice: `${event.ticketPrice}`,
    },
    terms: await termsOf(db, event),
    ...{ saleStart: event.saleStart.toISOString(), ownWallets: [], winners: [], reserves: [], blocks: [] },
    saleEndDate: new Date(event.saleStart.getTime() + 9e8).toISOString(),
    drawDate: new Date(event.saleStart.getTime() + 9.1e8).toISOString(),
  } as unknown as Proof
  const reader = createFlowsReader()
  const classes: string[] = []
  let walk: ReturnType<typeof createFlowsWalk> | undefined
  const problems = text
    .slice(0, -1)
    .split('\n')
    .flatMap((each) => {
      const taken = reader.take(each)
      if (typeof taken === 'string') return [taken]
      if (!taken) return []
      classes.push(taken.class)
      walk ??= createFlowsWalk(proof, head, [])
      return walk.take(taken) ?? []
    })
  return { head, text, classes, problems: [...problems, ...(reader.end() ?? [])] }
}

test('two transfers of one payer to a refund wallet in one transaction are one line, as anyone makes of the logs', async () => {
  const { db } = own
  const event = await openEvent(db)
  const refunder = `0x${'1f'.repeat(20)}` as Address
  await watchWallet(db, operator)
  await watchWallet(db, refunder, 'refund')
  await openWallet(db, event, { block: 1, cents: 0 })
  await openWallet(db, event, { block: 1, cents: 0, wallet: refunder })
  await foldTo(db, event, 20, [])
  const transfers = [3, 4].map((logIndex) => ({
    ...{ from: bob, to: refunder, value: 1n, blockNumber: 5n, blockHash: `0x${'55'.repeat(32)}` as const },
    ...{ transactionHash: `0x${'77'.repeat(32)}` as const, transactionIndex: 0, logIndex },
  }))
  const blockTime = event.saleStart.getTime() / 1000 + 5
  const received = transfers.map((each) => ({ ...each, token: event.token, blockTime }))
  await saveReceipts(db, { token: event.token, wallets: [refunder], end: 20n }, received)
  await reckonTo(db, event, 18)
  const { head, text, problems } = await checked(db, event)
  expect([head.lines, problems]).toEqual([groupPayments(transfers, new Set([refunder])).length, []])
  expect(text).toContain(`,0,3,0x${'77'.repeat(32)},in,${refunder},${bob},2,other,none\n`)
})

async function oldSale(db: Db): Promise<Event> {
  await openEvent(db)
  await db.execute(sql`update events set sale_start = date_trunc('second', now()) - interval '3 days'`)
  const event = (await getOpenEvent(db)) as Event
  await watchWallet(db, operator)
  await openWallet(db, event, { block: 1, cents: 0 })
  await foldTo(db, event, 20, [paid(event, { block: 5, cents: 1, payer: alice })])
  return event
}

test('a cent that a stranger paid before the sale got another wallet keeps its reason, and nobody finds fault with it', async () => {
  const { db } = own
  await oldSale(db)
  await updateEvent(db, { operatorWallet: bob }, { terms: envTerms, pinnedWallet: undefined })
  const event = (await getOpenEvent(db)) as Event
  await openWallet(db, event, { block: 21, cents: 0, wallet: bob })
  await reckonTo(db, event, 30)
  const { problems, classes } = await checked(db, event)
  expect([problems, classes.length]).toEqual([[], 1])
})

test('a cent that a stranger paid before the sale got another price and start is no fault either', async () => {
  const { db } = own
  const { saleStart } = await oldSale(db)
  await applyEnvironment(db, { ...envTerms, ticketPrice: 2n * 10n ** 18n }, undefined)
  const event = (await getOpenEvent(db)) as Event
  expect(event.saleStart.getTime()).toBeGreaterThan(saleStart.getTime())
  await reckonTo(db, event, 30)
  const { problems, classes } = await checked(db, event)
  expect([problems, classes.length]).toEqual([[], 1])
})

test("tickets that were sold behind an event's last reckoning are in the next file, whether or not an event between was reckoned", async () => {
  const { db } = own
  const event = await openEvent(db)
  await watchWallet(db, operator)
  await openWallet(db, event, { block: 1, cents: 0 })
  const sold = [paid(event, { block: 5, cents: 3_00 }), paid(event, { block: 19, cents: 9_00 })]
  await foldTo(db, event, 20, sold)
  await reckonTo(db, event, 18)
  const [row] = await db.select().from(events)
  const next = (number: number) => ({
    ...{ ...(row as Event), number, archivedAt: null, ticketsSold: 0 },
    saleStart: new Date(event.saleStart.getTime() + 30_000 * (number - 1)),
  })
  await db.execute(sql`update events set archived_at = now()`)
  await db.insert(events).values(next(2))
  await db.execute(sql`update events set archived_at = now()`)
  await db.insert(events).values(next(3))
  await reckonTo(db, { ...event, number: 3 }, 25)
  const { head, problems, classes } = await checked(db, next(3))
  expect([problems, classes, head.wallets[0]?.openingBlock]).toEqual([[], ['credited'], 18n])
})

test('an opening that nobody could tell, and that is told after the event, leaves the file of the event as it was', async () => {
  const { db } = own
  const event = await openEvent(db)
  await watchWallet(db, operator)
  await openWallet(db, event, { block: 1, cents: null })
  await foldTo(db, event, 20, [paid(event, { block: 5, cents: 3_00 })])
  await reckonTo(db, event, 18)
  const before = await checked(db, event)
  const save = (number: bigint, told: Parameters<typeof saveOpening>[4]) => {
    const block = { number, hash: `0x${'44'.repeat(32)}` as const, timestamp: 2_000_000_000 }
    return saveOpening(db, { address: operator, role: 'sale' }, event.token, block, told)
  }
  await save(10n, { why: 'silent' })
  expect(await checked(db, event)).toEqual(before)
  await save(40n, { units: 5n })
  await save(41n, { units: 6n })
  await save(42n, { why: 'differ' })
  expect(await checked(db, event)).toEqual(before)
  expect(before.head.wallets).toMatchObject([{ openingBlock: 1n, openingUnits: null }])
  const rows = await db.select().from(walletOpenings).orderBy(walletOpenings.id)
  expect(rows.map(({ units, why, closedAt }) => [units, why, closedAt === null])).toEqual([
    [null, 'silent', false],
    [5n, null, true],
  ])
})
