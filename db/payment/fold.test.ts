import { asc, eq } from 'drizzle-orm'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  alice,
  blockEnd,
  bob,
  envTerms,
  foldTo,
  openEvent,
  operator,
  paid,
} from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { watchWallet } from '../../e2e/lab/watch-wallet.ts'
import { getOpenEvent } from '../event/events.ts'
import { openNext } from '../event/next.ts'
import { getScanCursor } from '../event/sale.ts'
import { refundInfo } from '../refund/dues.ts'
import { endings, events, payments } from '../schema/index.ts'
import { claimPayment, getClaim } from './claims.ts'
import { foldRange } from './fold.ts'
import { listWalletPayments, reportPurchase } from './purchases.ts'
import { notRecorded } from './second-reading.ts'

const own = forEachTest(usedDb)
const event = forEachTest(() => openEvent(own.db))

describe('foldRange', () => {
  test('the second payer of a transaction is not on record with the first', async () => {
    const first = paid(event, { block: 2, cents: 3_00 })
    const second = { ...first, payer: bob }
    await foldTo(own.db, event, 5, [first])
    expect(await notRecorded(own.db, [first, second])).toEqual([second])
  })

  test('I3: assigns ticket numbers in chain order, without a gap', async () => {
    const { db } = own
    await foldTo(db, event, 5, [
      paid(event, { block: 2, cents: 99_00 }),
      paid(event, { block: 5, cents: 10_00, payer: bob }),
    ])
    await foldTo(db, event, 9, [paid(event, { block: 9, cents: 3_00 })])
    expect(await tickets()).toEqual([
      [1, 33],
      [34, 3],
      [37, 1],
    ])
    expect(await getOpenEvent(db)).toMatchObject({ ticketsSold: 37 })
  })

  test('waits for nobody who holds the row of an archived event', async () => {
    const { db } = own
    await db.insert(endings).values({ eventNumber: 1, kind: 'refunds', reason: 'stopped' })
    const next = await db.transaction((tx) => openNext(tx, event, envTerms))
    await db.transaction(async (tx) => {
      await tx.select().from(events).where(eq(events.number, event.number)).for('update')
      expect(await foldTo(db, next, 1, [paid(next, { block: 1, cents: 3_00 })])).toBe(1)
    })
  })

  test('I1: a range that was folded before is not folded again and changes nothing', async () => {
    const { db } = own
    const before = await getScanCursor(db)
    const found = [paid(event, { block: 2, cents: 99_00 })]
    expect(await foldRange(db, before, blockEnd(event, 5), found)).toBe(33)
    expect(await foldRange(db, before, blockEnd(event, 5), found)).toBeUndefined()
    expect(await tickets()).toEqual([[1, 33]])
  })

  test('a range that was read without a wallet or for another token than the event has by now is not folded', async () => {
    const { db } = own
    const { token } = event
    const before = await getScanCursor(db)
    const fold = (read: { wallets: Address[]; token: Address }) =>
      foldRange(db, before, blockEnd(event, 5), [], read)
    await watchWallet(db, bob)
    expect(await fold({ wallets: [operator], token })).toBeUndefined()
    expect(await fold({ wallets: [operator, bob], token: alice })).toBeUndefined()
    expect(await getScanCursor(db)).toBeUndefined()
    expect(await fold({ wallets: [bob, operator], token })).toBe(0)
  })

  test('Q3: of ten workers with the same range one folds it', async () => {
    const { db } = own
    await foldTo(db, event, 1)
    const before = await getScanCursor(db)
    const found = [paid(event, { block: 2, cents: 99_00 })]
    const results = await Promise.all(
      Array.from({ length: 10 }, () => foldRange(db, before, blockEnd(event, 5), found)),
    )
    expect(results.filter((tickets) => tickets === 33)).toHaveLength(1)
    expect(await tickets()).toEqual([[1, 33]])
  })

  test('I1: a payment that is on record is not recorded again', async () => {
    const { db } = own
    const payment = paid(event, { block: 2, cents: 99_00 })
    await foldTo(db, event, 5, [payment])
    await foldTo(db, event, 8, [paid(event, { block: 7, cents: 3_00 }), payment])
    expect(await tickets()).toEqual([
      [1, 33],
      [34, 1],
    ])
  })

  test('a payment without a ticket is recorded with its reason and shifts no ticket number', async () => {
    const { db } = own
    await foldTo(db, event, 5, [
      paid(event, { block: 1, cents: 2_99 }),
      paid(event, { block: 1, cents: 9_00, payer: operator, index: 1 }),
      paid(event, { block: 2, cents: 3_00, index: 2 }),
    ])
    const rows = await db.select().from(payments).orderBy(asc(payments.id))
    expect(rows.map(({ status, reason, ticketNumber }) => [status, reason, ticketNumber])).toEqual([
      ['rejected', 'underpaid', null],
      ['rejected', 'held', null],
      ['credited', null, 1],
    ])
  })

  test('P2: a claim by another wallet changes nothing, the payer is credited', async () => {
    const { db } = own
    const payment = paid(event, { block: 2, cents: 99_00, payer: alice })
    await claimPayment(db, claimOf(payment.transactionHash, bob))
    await foldTo(db, event, 5, [payment])
    expect(await reportPurchase(db, payment.transactionHash)).toMatchObject({
      status: 'credited',
      payments: [
        { walletAddress: expect.stringMatching(new RegExp(alice, 'i')), ticketNumber: 1, ticketCount: 33 },
      ],
    })
    expect(await getClaim(db, payment.transactionHash)).toMatchObject({
      status: 'credited',
      nextAttemptAt: null,
      clientAddress: null,
    })
  })

  test('a claim that comes after its payment is resolved at once', async () => {
    const { db } = own
    const payment = paid(event, { block: 2, cents: 1_00 })
    await foldTo(db, event, 5, [payment])
    const { claim } = await claimPayment(db, claimOf(payment.transactionHash))
    expect(claim).toEqual({ status: 'rejected', isDue: false })
    expect(await getClaim(db, payment.transactionHash)).toMatchObject({
      reason: 'underpaid',
      nextAttemptAt: null,
    })
  })

  test('the tickets of a wallet are those of its payments', async () => {
    const { db } = own
    await foldTo(db, event, 5, [
      paid(event, { block: 2, cents: 9_00 }),
      paid(event, { block: 3, cents: 1_00 }),
      paid(event, { block: 4, cents: 6_00, payer: bob }),
    ])
    expect(await listWalletPayments(db, alice)).toMatchObject({
      ticketCount: 3,
      payments: [
        { status: 'rejected', reason: 'underpaid', ticketNumber: null },
        { status: 'credited', ticketNumber: 1, ticketCount: 3, amount: 900 },
      ],
    })
  })
})

test('a payment of more tickets than the database can number is too much, and the next buyer gets his ticket', async () => {
  const { db } = own
  const most = 2_000_000_000
  await foldTo(db, event, 5, [
    paid(event, { block: 2, cents: 300 * 2 ** 31 }),
    paid(event, { block: 3, cents: 300 * most - 300, payer: bob }),
    paid(event, { block: 4, cents: 6_00 }),
    paid(event, { block: 5, cents: 3_00 }),
  ])
  expect(await db.select().from(payments).orderBy(payments.blockNumber)).toMatchObject([
    { reason: 'full', ticketNumber: null },
    { ticketNumber: 1, ticketCount: most - 1 },
    { reason: 'full', ticketNumber: null },
    { ticketNumber: most, ticketCount: 1 },
  ])
  expect(await getOpenEvent(db)).toMatchObject({ ticketsSold: most })
  expect(await refundInfo(db, 1)).toEqual({ totalTickets: 0, totalAmount: 300 * 2 ** 31 + 6_00 })
})

async function tickets() {
  const rows = await own.db.select().from(payments).orderBy(asc(payments.ticketNumber))
  return rows.map((row) => [row.ticketNumber, row.ticketCount])
}

const claimOf = (transactionHash: `0x${string}`, walletAddress: string = alice) => ({
  transactionHash,
  walletAddress,
  quantity: 33,
  amount: 9900,
})
