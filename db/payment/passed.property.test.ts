import { asc, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { keccak256, toHex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import type { FoundPayment } from '../../core/payment/payment.ts'
import { alice, blockEnd, bob, foldTo, openEvent, paid } from '../../e2e/lab/ledger-story.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { watchWallet } from '../../e2e/lab/watch-wallet.ts'
import { recordDraw } from '../draw/draws.ts'
import type { Event } from '../event/events.ts'
import { getScanCursor } from '../event/sale.ts'
import type { Db } from '../index.ts'
import { events, owedPayments, payments } from '../schema/index.ts'
import { fingerprintLedger, freezeLedger } from './ledger.ts'
import { mend } from './rewind.ts'

const former = `0x${'0e'.repeat(20)}` as const
/** Seconds after the sale start; everything lies in the database's past, but for the draw date until it comes. */
const [saleEnd, drawBlock, end] = [60, 80, 100]
/** When somebody reports a payment that the scan did not see. */
const moments = ['in the sale', 'after the freeze', 'after the draw', 'after the archive'] as const

const one = fc.record({
  second: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: saleEnd - 1 }) },
    { weight: 2, arbitrary: fc.integer({ min: saleEnd, max: end }) },
  ),
  cents: fc.integer({ min: 1, max: 20_00 }),
  payer: fc.constantFrom(alice, bob),
  toFormer: fc.constantFrom(false, false, false, true),
  reported: fc.constantFrom(undefined, undefined, ...moments),
})
type One = { payment: FoundPayment; second: number; reported: (typeof moments)[number] | undefined }

/** Event 1 an hour ago; the draw date is still to come. */
async function begin(db: Db): Promise<Event> {
  await watchWallet(db, former)
  const opened = await openEvent(db)
  const saleStart = new Date(opened.saleStart.getTime() - 3_600_000)
  const event = { ...opened, saleStart }
  const past = {
    saleStart,
    minTickets: 1,
    saleEnd: new Date(saleStart.getTime() + saleEnd * 1000),
    drawDate: fromNow(3_600),
  }
  await withOtherPast(db, (tx) => tx.update(events).set(past))
  await db.execute(sql`update operator_wallets set since = ${saleStart.toISOString()}::timestamptz`)
  return event
}

/** What becomes of payments that the scan missed, whenever they are reported. */
async function play(db: Db, all: readonly One[], event: Event): Promise<void> {
  const seen = new Set(all.filter(({ reported }) => reported === undefined))
  const foldUpTo = async (block: number) => {
    const from = Number((await getScanCursor(db))?.height ?? -1n)
    const next = [...seen]
      .filter(({ second }) => from < second && second <= block)
      .sort((a, b) => a.second - b.second)
    await foldTo(
      db,
      event,
      block,
      next.map(({ payment }) => payment),
    )
  }
  /** As a worker does for a claim. */
  const report = async (which: (typeof moments)[number], reached: number) => {
    for (const told of all.filter(
      ({ reported, second }) => reported === which && 0 <= second && second <= reached,
    )) {
      const { number, hash, timestamp } = blockEnd(event, told.second - 1)
      const before = { height: number, hash, blockTime: new Date(timestamp * 1000) }
      const block = all.filter(({ payment }) => payment.blockNumber === told.payment.blockNumber)
      for (const one of block) seen.add(one)
      await mend(db, {
        ...{ before, end: blockEnd(event, told.second), why: 'told' },
        found: block.map(({ payment }) => payment),
      })
      await foldUpTo(reached)
    }
  }
  await foldUpTo(30)
  await report('in the sale', 30)
  await foldUpTo(saleEnd)
  await freezeLedger(db)
  await report('after the freeze', saleEnd)
  const drawDate = new Date(event.saleStart.getTime() + drawBlock * 1000)
  await withOtherPast(db, (tx) => tx.update(events).set({ haltedAt: null, drawDate }))
  await foldUpTo(end)
  const blocks = [4, 3, 2, 1, 0].map((less) => ({ ...blockEnd(event, drawBlock - less), miner: zeroAddress }))
  await recordDraw(db, { eventNumber: 1, blocks, beacon: null })
  const drawn = await fingerprintLedger(db, 1)
  await report('after the draw', end)
  await db.update(events).set({ archivedAt: fromNow(0) })
  await db.execute(sql`insert into events (number, ticket_price, sale_lead_seconds, operator_wallet, chain_id, token,
    min_tickets, sale_start) select 2, ticket_price, sale_lead_seconds, operator_wallet, chain_id, token, 1, now()
    from events where number = 1`)
  for (const moment of moments) await report(moment, end)
  expect(await fingerprintLedger(db, 1)).toEqual(drawn)
}

test('I5: whenever a payment turns up, it is on record once and either has its tickets or goes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 14 }), async (chosen) => {
      const { db, close } = await usedDb()
      try {
        const event = await begin(db)
        const all = chosen.map(
          ({ second, cents, payer, toFormer, reported }, index): One => ({
            payment: {
              ...paid(event, { block: second, cents, payer, index, ...(toFormer && { wallet: former }) }),
              transactionHash: keccak256(toHex(`told ${index}`)),
            },
            second,
            reported,
          }),
        )
        // With it the event is above its minimum, whatever else is sold.
        const first = paid(event, { block: 0, cents: 60_00, index: 1_000 })
        all.push({ payment: first, second: 0, reported: undefined })
        all.sort((a, b) => a.second - b.second)
        await play(db, all, event)
        const rows = await db.select().from(payments).orderBy(asc(payments.ticketNumber))
        expect(rows.map((row) => row.transactionHash).sort()).toEqual(
          all.map(({ payment }) => payment.transactionHash).sort(),
        )
        let next = 1
        for (const row of rows.filter(({ status }) => status === 'credited')) {
          expect(row.ticketNumber).toBe(next)
          next += row.ticketCount
        }
        const back = rows
          .filter(({ status, reason }) => status === 'rejected' && reason !== 'early' && reason !== 'held')
          .reduce((sum, { units }) => sum + units, 0n)
        const owed = await db.select().from(owedPayments)
        expect(owed.reduce((sum, { units }) => sum + units, 0n)).toBe(back)
        const tooLate = all.filter(
          ({ payment, reported }) =>
            reported?.startsWith('after') &&
            !all.some(
              (one) => one.payment.blockNumber === payment.blockNumber && one.reported === 'in the sale',
            ),
        )
        for (const { payment } of tooLate)
          expect(
            rows.find((row) => row.transactionHash === payment.transactionHash)?.ticketNumber ?? null,
          ).toBeNull()
      } finally {
        await close()
      }
    }),
    { numRuns: 15, endOnFailure: true },
  )
})
