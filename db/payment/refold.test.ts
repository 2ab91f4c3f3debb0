import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob, envTerms, foldTo, openEvent, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { listChanges } from '../event/changes.ts'
import { getOpenEvent } from '../event/events.ts'
import { openNext } from '../event/next.ts'
import { getScanCursor, type ScanCursor } from '../event/scan-cursor.ts'
import { newestMoment } from '../event/update.ts'
import { refundInfo } from '../refund/dues.ts'
import { endings, events, payments, voidedPayments } from '../schema/index.ts'
import { claimPayment, getClaim } from './claims.ts'
import { freezeLedger } from './ledger.ts'
import { paymentBlocks, takeBack } from './refold.ts'

const own = forEachTest(testDb)
const event = forEachTest(() => openEvent(own.db))

test('P8: payments after the last agreed block are voided, kept, listed as a change, and refolded', async () => {
  const { db } = own
  const kept = paid(event, { block: 2, cents: 9_00 })
  const lost = paid(event, { block: 5, cents: 6_00, payer: bob })
  await foldTo(db, event, 6, [kept, lost])
  await claimPayment(db, { transactionHash: lost.transactionHash })
  const [, to] = await paymentBlocks(db, 100n, 10)

  expect(await takeBack(db, await cursor(), to, reorg)).toEqual({ eventNumber: 1, payments: 1 })
  expect(await getOpenEvent(db)).toMatchObject({ ticketsSold: 3, haltedAt: expect.any(Date) })
  expect(await db.select().from(voidedPayments)).toMatchObject([
    { payer: bob, ticketNumber: 4, ticketCount: 2 },
  ])
  expect(await getClaim(db, lost.transactionHash)).toMatchObject({
    status: 'received',
    nextAttemptAt: expect.any(Date),
  })
  expect((await listChanges(db)).map(({ field, to }) => [field, to])).toEqual([
    ['sales', 'halted'],
    ['ledger', expect.stringContaining('folded anew')],
  ])

  // the payment is now in another block, after a payment that was not there before
  await foldTo(db, event, 9, [paid(event, { block: 7, cents: 3_00 }), { ...lost, blockNumber: 8n }])
  const rows = await db.select().from(payments).orderBy(payments.ticketNumber)
  expect(rows.map(({ payer, ticketNumber }) => [payer, ticketNumber])).toEqual([
    [alice, 1],
    [alice, 4],
    [bob, 5],
  ])
})

test('a second worker that saw the same reorg changes nothing', async () => {
  const { db } = own
  await foldTo(db, event, 6, [paid(event, { block: 5, cents: 6_00 })])
  const seen = await cursor()
  expect(await takeBack(db, seen, undefined, reorg)).toBeDefined()
  expect(await takeBack(db, seen, undefined, reorg)).toBeUndefined()
})

test('a reorg that took no payment away does not halt sales', async () => {
  const { db } = own
  await foldTo(db, event, 6)
  await takeBack(db, await cursor(), undefined, reorg)
  expect(await getOpenEvent(db)).toMatchObject({ haltedAt: null })
})

test('after the freeze and before the draw date the ledger gets a new fingerprint', async () => {
  const { db } = own
  await setDates({ drawInSeconds: 3_600, saleEndBlock: 6 })
  await foldTo(db, event, 6, [paid(event, { block: 5, cents: 6_00 })])
  const before = await freezeLedger(db)
  await takeBack(db, await cursor(), undefined, reorg)
  expect(await getOpenEvent(db)).toMatchObject({ frozenAt: null, refundModeAt: null })
  await foldTo(db, event, 6, [paid(event, { block: 4, cents: 6_00 })])
  const after = await freezeLedger(db)
  expect(after?.sha256).not.toBe(before?.sha256)
})

test('after the draw date the event enters refund mode instead of a draw', async () => {
  const { db } = own
  await setDates({ drawInSeconds: -1, saleEndBlock: 6 })
  await foldTo(db, event, 6, [paid(event, { block: 5, cents: 6_00 })])
  await freezeLedger(db)
  await takeBack(db, await cursor(), undefined, reorg)
  expect(await getOpenEvent(db)).toMatchObject({ refundModeAt: expect.any(Date) })
})

test.each([
  ['another list is refunded', 4, 'ledger'],
  ['the same list is not', 5, undefined],
])('a ledger that was published and stands again only after the draw date: %s', async (_, block, reason) => {
  const { db } = own
  await setDates({ drawInSeconds: 3_600, saleEndBlock: 6 })
  const payment = paid(event, { block: 5, cents: 6_00 })
  await foldTo(db, event, 6, [payment])
  const before = await freezeLedger(db)
  await takeBack(db, await cursor(), undefined, reorg)
  await foldTo(db, event, 6, [{ ...payment, blockNumber: BigInt(block) }])
  await setDates({ drawInSeconds: -1, saleEndBlock: 6 })
  const after = await freezeLedger(db)
  expect(after?.sha256 === before?.sha256).toBe(reason === undefined)
  expect((await db.select().from(endings))[0]?.reason).toBe(reason)
  expect((await getOpenEvent(db))?.refundModeAt ?? undefined).toEqual(reason && expect.any(Date))
})

test('late money of a stranger in a replaced block opens no frozen ledger: it is taken back and found again', async () => {
  const { db } = own
  await setDates({ drawInSeconds: -1, saleEndBlock: 6 })
  const dust = paid(event, { block: 8, cents: 1, payer: bob })
  await foldTo(db, event, 9, [paid(event, { block: 5, cents: 6_00 }), dust])
  const frozen = await freezeLedger(db)
  const [, to] = await paymentBlocks(db, 100n, 10)
  expect(await takeBack(db, await cursor(), to, reorg)).toEqual({ eventNumber: 1, payments: 1 })
  const kept = {
    frozenAt: expect.any(Date),
    ledgerSha256: frozen?.sha256,
    haltedAt: null,
    refundModeAt: null,
  }
  expect(await getOpenEvent(db)).toMatchObject(kept)
  await foldTo(db, event, 9, [dust])
  expect(await reasons()).toEqual([null, 'late'])
  expect(await getOpenEvent(db)).toMatchObject(kept)
})

test('no date puts a sale that has ended on chain off while its blocks are read anew', async () => {
  const { db } = own
  await setDates({ drawInSeconds: 3_600, saleEndBlock: 6 })
  await foldTo(db, event, 900, [
    paid(event, { block: 2, cents: 6_00 }),
    paid(event, { block: 8, cents: 6_00 }),
  ])
  expect(await reasons()).toEqual([null, 'late'])
  const [, to] = await paymentBlocks(db, 100n, 10)
  await takeBack(db, await cursor(), to, reorg)
  const folded = event.saleStart.getTime() + 900_000
  expect((await newestMoment(db)).getTime()).toBeGreaterThanOrEqual(folded)
})

test('a ticket that a reorg brings into a frozen ledger opens it again', async () => {
  const { db } = own
  await setDates({ drawInSeconds: 3_600, saleEndBlock: 6 })
  await foldTo(db, event, 9, [paid(event, { block: 2, cents: 6_00 }), paid(event, { block: 8, cents: 1 })])
  await freezeLedger(db)
  const [, to] = await paymentBlocks(db, 100n, 10)
  await takeBack(db, await cursor(), to, reorg)
  await foldTo(db, event, 9, [paid(event, { block: 4, cents: 9_00 })])
  expect(await getOpenEvent(db)).toMatchObject({
    ...{ frozenAt: null, ledgerSha256: null, haltedAt: expect.any(Date), ticketsSold: 5 },
  })
})

test('money of an earlier event that a reorg has taken is on no list any more', async () => {
  const { db } = own
  const saleEnd = new Date(event.saleStart.getTime() + 3_000)
  await db.update(events).set({ saleEnd, drawDate: saleEnd })
  await foldTo(db, event, 9, [paid(event, { block: 2, cents: 6_00 }), paid(event, { block: 8, cents: 9_00 })])
  await db.transaction((tx) => openNext(tx, event, envTerms))
  expect((await refundInfo(db, 1)).totalAmount).toBe(9_00)
  const [, to] = await paymentBlocks(db, 100n, 10)
  await takeBack(db, await cursor(), to, reorg)
  expect(await reasons()).toEqual([null])
  expect((await refundInfo(db, 1)).totalAmount).toBe(0)
})

const reasons = async () =>
  (await own.db.select().from(payments).orderBy(payments.blockNumber)).map(({ reason }) => reason)

const reorg = { text: 'block 6 was replaced below finality', isHole: false }

const cursor = async () => (await getScanCursor(own.db)) as ScanCursor

async function setDates({
  drawInSeconds,
  saleEndBlock,
}: {
  drawInSeconds: number
  saleEndBlock: number
}): Promise<void> {
  await withOtherPast(own.db, (tx) =>
    tx.update(events).set({
      drawDate: sql`now() + ${`${drawInSeconds} seconds`}::interval`,
      saleEnd: new Date(event.saleStart.getTime() + saleEndBlock * 1000),
    }),
  )
}
