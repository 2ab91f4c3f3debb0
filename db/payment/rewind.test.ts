import { sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { describe, expect, test } from 'vitest'
import type { FoundPayment } from '../../core/payment/payment.ts'
import { alice, blockEnd, bob, envTerms, foldTo, openEvent, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { getOpenEvent, newestMoment } from '../event/events.ts'
import { openNext } from '../event/next.ts'
import { type Cursor, getEnding, getScanCursor } from '../event/sale.ts'
import { listChanges } from '../event/terms.ts'
import { refundInfo } from '../refund/dues.ts'
import { endings, events, payments } from '../schema/index.ts'
import { claimPayment, getClaim } from './claims.ts'
import { fingerprintLedger, freezeLedger } from './ledger.ts'
import { mend, missingLines, type Place, paymentBlocks, rewind } from './rewind.ts'

const own = forEachTest(usedDb)
const event = forEachTest(() => openEvent(own.db))

const cursor = async () => (await getScanCursor(own.db)) as Cursor
const endOf = (block: number): Cursor => {
  const { number, hash, timestamp } = blockEnd(event, block)
  return { height: number, hash, blockTime: new Date(timestamp * 1000) }
}
const back = async (to: Cursor | undefined) =>
  rewind(own.db, await cursor(), to, 'block 6 was replaced below finality')
const mendAt = (block: number, found: FoundPayment[], places: [Hash, Place][] = []) =>
  mend(own.db, {
    ...{ before: endOf(block - 1), end: blockEnd(event, block), found, why: 'it was read again' },
    places: new Map(places),
  })
const record = async () =>
  (await own.db.select().from(payments).orderBy(payments.blockNumber)).map(
    ({ reason, ticketNumber }) => reason ?? ticketNumber,
  )
const ledgerChanges = async () =>
  (await listChanges(own.db)).filter(({ field }) => field === 'ledger').map(({ to }) => to)
/** The sale is over with block 6, and the list is frozen. */
async function freeze({ drawInSeconds = 3_600 } = {}): Promise<void> {
  await own.db.update(events).set({
    drawDate: sql`now() + ${`${drawInSeconds} seconds`}::interval`,
    saleEnd: new Date(event.saleStart.getTime() + 6_000),
  })
  expect(await freezeLedger(own.db)).toBeDefined()
}

describe('a rewind', () => {
  test('P8: takes back what lies above its block, in public, and pauses; what is read again is numbered anew', async () => {
    const { db } = own
    const [kept, lost] = [
      paid(event, { block: 2, cents: 9_00 }),
      paid(event, { block: 5, cents: 6_00, payer: bob }),
    ]
    await foldTo(db, event, 6, [kept, lost])
    await claimPayment(db, { transactionHash: lost.transactionHash })
    const [, to] = await paymentBlocks(db, { above: 0n, below: 100n }, 10)
    expect(await back(to)).toBe(1)
    expect(await getOpenEvent(db)).toMatchObject({ ticketsSold: 3, haltedAt: expect.any(Date) })
    expect(await getClaim(db, lost.transactionHash)).toMatchObject({
      ...{ status: 'received', nextAttemptAt: expect.any(Date) },
    })
    expect((await listChanges(db)).map(({ field, to }) => [field, to])).toEqual([
      ['sales', 'halted'],
      ['ledger', expect.stringContaining('folded anew')],
    ])
    await foldTo(db, event, 9, [paid(event, { block: 7, cents: 3_00 }), { ...lost, blockNumber: 8n }])
    expect(await record()).toEqual([1, 4, 5])
  })

  test('is done by one of two workers that saw the same reorg', async () => {
    await foldTo(own.db, event, 6, [paid(event, { block: 5, cents: 6_00 })])
    const seen = await cursor()
    expect(await rewind(own.db, seen, undefined, 'a reorg')).toBe(1)
    expect(await rewind(own.db, seen, undefined, 'a reorg')).toBeUndefined()
  })

  test('that takes no payment is public too', async () => {
    await foldTo(own.db, event, 6)
    expect(await back(undefined)).toBe(0)
    expect(await ledgerChanges()).toEqual([expect.stringContaining('folded anew')])
  })

  test('is below the sale end a time that has come all the same', async () => {
    await foldTo(own.db, event, 900, [paid(event, { block: 2, cents: 6_00 })])
    await back(endOf(2))
    expect((await newestMoment(own.db)).getTime()).toBeGreaterThanOrEqual(event.saleStart.getTime() + 900_000)
  })

  test('leaves a frozen list: its lines are found again, a new payment is missed, late money is read again', async () => {
    const { db } = own
    const [line, late] = [paid(event, { block: 2, cents: 6_00 }), paid(event, { block: 8, cents: 1_00 })]
    await foldTo(db, event, 9, [line, late])
    await freeze()
    const list = await fingerprintLedger(db, 1)
    expect(await back(undefined)).toBe(1)
    expect(await record()).toEqual([1])
    await foldTo(db, event, 9, [line, paid(event, { block: 4, cents: 9_00 }), late])
    expect(await record()).toEqual([1, 'missed', 'late'])
    expect(await fingerprintLedger(db, 1)).toEqual(list)
    expect(await getOpenEvent(db)).toMatchObject({
      ticketsSold: 2,
      frozenAt: expect.any(Date),
      refundModeAt: null,
    })
    expect((await refundInfo(db, 1)).totalAmount).toBe(10_00)
  })

  test('takes money without a ticket of an earlier event, which is read again', async () => {
    const { db } = own
    await foldTo(db, event, 9, [
      paid(event, { block: 2, cents: 6_00 }),
      paid(event, { block: 3, cents: 1_00 }),
    ])
    await withOtherPast(db, (tx) =>
      tx.update(events).set({ saleEnd: endOf(5).blockTime, drawDate: endOf(6).blockTime }),
    )
    await freezeLedger(db)
    await db.insert(endings).values({ eventNumber: 1, kind: 'refunds', reason: 'minimum' })
    await db.transaction((tx) => openNext(tx, event, envTerms))
    await back(endOf(1))
    expect(await record()).toEqual([1])
  })
})

describe('a block that is proven to hold something else', () => {
  test('is put on record before the freeze, and what follows is numbered anew', async () => {
    const [first, hole, last] = [2, 4, 5].map((block) => paid(event, { block, cents: 3_00 })) as [
      FoundPayment,
      FoundPayment,
      FoundPayment,
    ]
    await foldTo(own.db, event, 6, [first, last])
    expect(await mendAt(4, [hole])).toBe('folded anew')
    expect((await cursor()).height).toBe(4n)
    await foldTo(own.db, event, 6, [last])
    expect(await record()).toEqual([1, 2, 3])
    expect(await mendAt(4, [hole])).toBeUndefined()
  })

  test('takes a payment off the record before the freeze', async () => {
    await foldTo(own.db, event, 6, [
      paid(event, { block: 2, cents: 3_00 }),
      paid(event, { block: 4, cents: 3_00 }),
    ])
    expect(await mendAt(4, [])).toBe('folded anew')
    expect(await record()).toEqual([1])
    expect(await getOpenEvent(own.db)).toMatchObject({ ticketsSold: 1 })
  })

  test('folds nothing anew for money that gets no ticket', async () => {
    await foldTo(own.db, event, 6, [paid(event, { block: 2, cents: 3_00 })])
    expect(await mendAt(4, [paid(event, { block: 4, cents: 1 })])).toBe('missed')
    expect([await record(), (await cursor()).height]).toEqual([[1, 'underpaid'], 6n])
  })

  test('is missed once the list is frozen, in public, and read no further than before', async () => {
    const hole = paid(event, { block: 4, cents: 3_00, payer: alice })
    await foldTo(own.db, event, 6, [paid(event, { block: 2, cents: 3_00 })])
    await freeze()
    expect([await mendAt(4, [hole]), await mendAt(4, [hole])]).toEqual(['missed', undefined])
    expect([await record(), (await cursor()).height]).toEqual([[1, 'missed'], 6n])
    expect((await ledgerChanges())[0]).toBe(`missed: ${hole.transactionHash}`)
    expect(await getOpenEvent(own.db)).toMatchObject({ haltedAt: null, refundModeAt: null })
  })

  test.each([
    ['ends in refunds before the draw date', 3_600, { kind: 'refunds', reason: 'ledger' }],
    ['is public and no more once the draw block may exist', -1, undefined],
  ])('and lacks a line of a frozen list %s', async (_, drawInSeconds, ending) => {
    const line = paid(event, { block: 4, cents: 3_00 })
    await foldTo(own.db, event, 6, [line])
    await freeze({ drawInSeconds })
    expect(await missingLines(own.db, 4n, [])).toEqual([line.transactionHash])
    expect(await mendAt(4, [], [[line.transactionHash, 'lost']])).toBe('lost')
    expect(await missingLines(own.db, 4n, [])).toEqual([])
    expect(await mendAt(4, [], [[line.transactionHash, 'lost']])).toBeUndefined()
    expect(await record()).toEqual([1])
    expect(await ledgerChanges()).toContain(`lost: ${line.transactionHash}`)
    expect(await getEnding(own.db, 1)).toEqual(ending && expect.objectContaining(ending))
  })

  test('and lacks a line of a frozen list that is in another block now: that is public, and the event goes on', async () => {
    const line = paid(event, { block: 4, cents: 3_00 })
    await foldTo(own.db, event, 6, [line, paid(event, { block: 4, cents: 1, payer: bob })])
    await freeze()
    expect(await mendAt(4, [], [[line.transactionHash, 'moved']])).toBe('moved')
    expect([await record(), await getEnding(own.db, 1)]).toEqual([[1], undefined])
    expect((await ledgerChanges())[0]).toBe(`moved: ${line.transactionHash}`)
    expect(await mendAt(5, [{ ...line, blockNumber: 5n }])).toBeUndefined()
  })
})
