import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import type { FoundPayment } from '../../core/payment/payment.ts'
import {
  alice,
  blockEnd,
  bob,
  envTerms,
  foldTo,
  listChanges,
  openEvent,
  paid,
} from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { enterRefundMode } from '../draw/facts.ts'
import { getOpenEvent, newestMoment } from '../event/events.ts'
import { openNext } from '../event/next.ts'
import { type Cursor, getScanCursor } from '../event/sale.ts'
import { refundInfo, refundSummary } from '../refund/dues.ts'
import { requiredUnits } from '../report/solvency.ts'
import { endings, events, house, payments } from '../schema/index.ts'
import { claimPayment, getClaim } from './claims.ts'
import { fingerprintLedger, freezeLedger } from './ledger.ts'
import { type Line, lostLines, mend, paymentBlocks, rewind, tellLine } from './rewind.ts'

const own = forEachTest(usedDb)
const event = forEachTest(() => openEvent(own.db))

const cursor = async () => (await getScanCursor(own.db)) as Cursor
const endOf = (block: number): Cursor => {
  const { number, hash, timestamp } = blockEnd(event, block)
  return { height: number, hash, blockTime: new Date(timestamp * 1000) }
}
const back = async (to: Cursor | undefined) =>
  rewind(own.db, await cursor(), to, 'block 6 was replaced below finality')
const mendAt = (block: number, found: FoundPayment[]) =>
  mend(own.db, { before: endOf(block - 1), end: blockEnd(event, block), found, why: 'it was read again' })
const record = async () =>
  (await own.db.select().from(payments).orderBy(payments.blockNumber)).map(
    ({ reason, ticketNumber }) => reason ?? ticketNumber,
  )
const ledgerChanges = async () =>
  (await listChanges(own.db)).filter(({ field }) => field === 'ledger').map(({ to }) => to)
const version = async () => (await own.db.select().from(house))[0]?.version as number
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
    expect(await mendAt(4, [hole])).toMatchObject({ done: ['folded anew'] })
    expect((await cursor()).height).toBe(4n)
    await foldTo(own.db, event, 6, [last])
    expect(await record()).toEqual([1, 2, 3])
    expect(await mendAt(4, [hole])).toEqual({ isWrong: false, done: [], open: [] })
  })

  test('takes a payment off the record before the freeze', async () => {
    await foldTo(own.db, event, 6, [
      paid(event, { block: 2, cents: 3_00 }),
      paid(event, { block: 4, cents: 3_00 }),
    ])
    expect(await mendAt(4, [])).toMatchObject({ done: ['folded anew'] })
    expect(await record()).toEqual([1])
    expect(await getOpenEvent(own.db)).toMatchObject({ ticketsSold: 1 })
  })

  test('folds nothing anew for money that gets no ticket', async () => {
    await foldTo(own.db, event, 6, [paid(event, { block: 2, cents: 3_00 })])
    expect(await mendAt(4, [paid(event, { block: 4, cents: 1 })])).toMatchObject({ done: ['missed'] })
    expect([await record(), (await cursor()).height]).toEqual([[1, 'underpaid'], 6n])
  })

  test('is missed once the list is frozen, in public, and read no further than before', async () => {
    const hole = paid(event, { block: 4, cents: 3_00, payer: alice })
    await foldTo(own.db, event, 6, [paid(event, { block: 2, cents: 3_00 })])
    await freeze()
    expect([(await mendAt(4, [hole])).done, (await mendAt(4, [hole])).done]).toEqual([['missed'], []])
    expect([await record(), (await cursor()).height]).toEqual([[1, 'missed'], 6n])
    expect((await ledgerChanges())[0]).toBe(`missed: ${hole.transactionHash}`)
    expect(await getOpenEvent(own.db)).toMatchObject({ haltedAt: null, refundModeAt: null })
  })

  describe('and lacks a line of a frozen list', () => {
    const line = forEachTest(() => paid(event, { block: 4, cents: 3_00 }))
    const ask = async () => (await mendAt(4, [])).open
    /** What the chain answers of the open lines. */
    const tell = async (what: 'lost' | 'found') => {
      for (const one of await ask()) await tellLine(own.db, one, what)
    }

    test.each([
      ['ends in refunds before the draw date', 3_600, 'ledger'],
      ['is public and no more once the draw block may exist', -1, undefined],
    ])('that the chain has lost: it %s, and the line is not owed', async (_, drawInSeconds, cause) => {
      await foldTo(own.db, event, 6, [paid(event, { block: 2, cents: 6_00, payer: bob }), line])
      await freeze({ drawInSeconds })
      const [open] = await ask()
      expect(open).toMatchObject({ transactionHash: line.transactionHash })
      const before = await version()
      expect(await tellLine(own.db, open as Line, 'lost')).toBe(true)
      // Two who asked at the same time, the other one of an endpoint that stands on the old fork.
      expect(await tellLine(own.db, open as Line, 'lost')).toBe(false)
      expect(await tellLine(own.db, open as Line, 'found')).toBe(false)
      expect(await version()).toBe(before + 1)
      expect(await record()).toEqual([1, 3])
      expect((await ledgerChanges())[0]).toBe(`lost: ${line.transactionHash}`)
      if (!cause) expect(await requiredUnits(own.db)).toBe(unitsOf(6_00))
      expect(await enterRefundMode(own.db, 1)).toBe(cause)
      if (cause) expect((await refundInfo(own.db, 1)).totalAmount).toBe(6_00)
    })

    test('that stands in another block: it stays, and nothing is told', async () => {
      await foldTo(own.db, event, 6, [line])
      await freeze()
      await tell('found')
      expect([await lostLines(own.db, 9), await enterRefundMode(own.db, 1)]).toEqual([[], undefined])
    })

    test('that was lost before the draw date and is found: the refunds stay, and it is owed', async () => {
      const { db } = own
      await foldTo(db, event, 6, [line, paid(event, { block: 5, cents: 6_00 })])
      await freeze()
      await tell('lost')
      const [lost] = await lostLines(db, 9)
      const told = async () => {
        const { events: all } = await refundSummary(db, 0n)
        return [all[0]?.refundInfo, await refundInfo(db, 1)].map(
          ({ totalTickets, totalAmount } = {} as never) => [totalTickets, totalAmount],
        )
      }
      const [before, after] = [
        [2, 6_00],
        [3, 9_00],
      ]
      expect(await tellLine(db, lost as Line, 'found')).toBe(true)
      expect([await lostLines(db, 9), (await ledgerChanges())[0]]).toEqual([
        [],
        `found: ${line.transactionHash}`,
      ])
      expect(await enterRefundMode(db, 1)).toBe('ledger')
      expect(await told()).toEqual([after, after])
      await tell('lost')
      expect(await told()).toEqual([before, before])
    })

    test('of two payers in one transaction: each is a line of its own', async () => {
      const other = { ...line, payer: bob, firstLogIndex: 1 }
      await foldTo(own.db, event, 6, [line, other])
      await freeze()
      expect(await mendAt(4, [other])).toMatchObject({ open: [{ payer: line.payer }] })
      expect(await ask()).toHaveLength(2)
    })
  })

  test('corrects money without a ticket after the freeze, in its own block and in another one, and takes back what is gone', async () => {
    const late = paid(event, { block: 8, cents: 1_00, payer: bob })
    await foldTo(own.db, event, 9, [paid(event, { block: 2, cents: 6_00 }), late])
    await freeze()
    const rows = async () => (await record()).slice(1)
    expect(await mendAt(8, [{ ...late, transactionIndex: 3 }])).toMatchObject({ done: ['missed'] })
    expect(await rows()).toEqual(['late'])
    expect(await mendAt(7, [{ ...late, blockNumber: 7n }])).toMatchObject({ done: ['missed'] })
    expect([await rows(), (await refundInfo(own.db, 1)).totalAmount]).toEqual([['late'], 1_00])
    expect(await mendAt(7, [])).toMatchObject({ done: ['gone'] })
    expect([await rows(), (await ledgerChanges())[0]]).toEqual([[], `gone: ${late.transactionHash}`])
  })

  test('is written in a shut house too', async () => {
    const hole = paid(event, { block: 4, cents: 9_00, payer: bob })
    const line = paid(event, { block: 4, cents: 3_00 })
    await foldTo(own.db, event, 6, [line])
    await freeze()
    await own.db.update(house).set({ shutSince: sql`now()` })
    const { done, open } = await mendAt(4, [hole])
    expect([done, await tellLine(own.db, open[0] as Line, 'lost')]).toEqual([['missed'], true])
  })
})

test('a chain that goes to another fork and back has the money of the first one on record again', async () => {
  const [dust, line] = [
    paid(event, { block: 4, cents: 1_00, payer: bob }),
    paid(event, { block: 5, cents: 6_00 }),
  ]
  await foldTo(own.db, event, 9, [dust, line])
  await freeze()
  const candidates = async () =>
    (await paymentBlocks(own.db, { above: 0n, below: 100n }, 10)).map(({ height }) => height)
  expect(await candidates()).toEqual([4n])
  await back(endOf(3))
  // What a frozen list keeps says nothing of the chain that stands.
  expect(await candidates()).toEqual([])
})
