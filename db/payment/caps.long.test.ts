import { asc, eq } from 'drizzle-orm'
import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { FoundPayment } from '../../core/payment/payment.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, blockEnd, bob, foldTo, openEvent, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { type Event, getOpenEvent } from '../event/events.ts'
import { getScanCursor, type ScanCursor } from '../event/scan-cursor.ts'
import type { Db } from '../index.ts'
import { refundInfo } from '../refund/dues.ts'
import { listWalletPayments, reportPurchase } from '../report/purchases.ts'
import { events, payments } from '../schema/index.ts'
import { recordPassed } from './fold.ts'
import { takeBack } from './refold.ts'

const carol: Address = `0x${'c0'.repeat(20)}`
const own = forEachTest(testDb)
const event = forEachTest(() => openEvent(own.db))

type Limits = { maxTickets: number | null; maxPerWallet: number | null }
const cap = (db: Db, caps: Limits) => db.update(events).set(caps).where(eq(events.number, 1))

test('I3: caps that are met inside one block by several payers are decided in chain order, and what is over goes back', async () => {
  const { db } = own
  await cap(db, { maxTickets: 12, maxPerWallet: 5 })
  const chosen: [Address, number][] = [
    [alice, 5],
    [bob, 6],
    [alice, 1],
    [bob, 5],
    [carol, 3],
    [carol, 2],
  ]
  const found = chosen.map(([payer, tickets], index) =>
    paid(event, { block: 2, cents: tickets * 300, payer, index }),
  )
  await foldTo(db, event, 3, found)
  expect(await told(db)).toEqual([
    [alice, null, 1, 5],
    [bob, 'over_cap', null, 0],
    [alice, 'over_cap', null, 0],
    [bob, null, 6, 5],
    [carol, 'over_cap', null, 0],
    [carol, null, 11, 2],
  ])
  expect(await getOpenEvent(db)).toMatchObject({ ticketsSold: 12 })
  expect((await refundInfo(db, 1)).totalTickets).toBe(0)
  expect(await reportPurchase(db, found[1]?.transactionHash as `0x${string}`)).toMatchObject({
    status: 'rejected',
    reason: 'over_cap',
  })
  expect(await listWalletPayments(db, bob)).toMatchObject({ ticketCount: 5 })
})

test('I3: no program can write more tickets than the cap of the event', async () => {
  const { db } = own
  await cap(db, { maxTickets: 200, maxPerWallet: null })
  await expect(db.update(events).set({ ticketsSold: 201 })).rejects.toMatchObject({
    cause: { constraint_name: 'events_caps' },
  })
})

test('I3: with any caps, in any ranges, and after any refold, the ledger is that of a naive fold', async () => {
  const one = fc.record({
    payer: fc.constantFrom(alice, bob, carol),
    tickets: fc.integer({ min: 0, max: 9 }),
    gap: fc.constantFrom(0, 0, 1, 2),
    isMissed: fc.constantFrom(false, false, false, true),
  })
  const limit = fc.option(fc.integer({ min: 1, max: 25 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(one, { minLength: 1, maxLength: 25 }),
      limit,
      limit,
      fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 5 }),
      async (chosen, maxTickets, wallet, ends) => {
        const { db, close } = await testDb()
        try {
          const opened = await openEvent(db)
          const caps = { maxTickets, maxPerWallet: wallet && Math.min(wallet, maxTickets ?? wallet) }
          await cap(db, caps)
          let block = 1
          const all = chosen.map(({ payer, tickets, gap, isMissed }, index) => {
            block += gap
            return { isMissed, payment: paid(opened, { block, cents: tickets * 300 + 1, payer, index }) }
          })
          const seen = all.filter(({ isMissed }) => !isMissed).map(({ payment }) => payment)
          await foldInRanges(db, opened, seen, ends)
          expect(await told(db)).toEqual(naiveFold(seen, caps))
          const [missed] = all.filter(({ isMissed }) => isMissed).map(({ payment }) => payment)
          if (!missed) return
          expect(await recordPassed(db, [missed])).toHaveLength(1)
          const { number, hash, timestamp } = blockEnd(opened, Number(missed.blockNumber) - 1)
          const to = { height: number, hash, blockTime: new Date(timestamp * 1000) }
          await takeBack(db, (await getScanCursor(db)) as ScanCursor, to, { text: 'missed', isHole: true })
          const both = all
            .map(({ payment }) => payment)
            .filter((each) => each === missed || seen.includes(each))
          const again = both.filter(({ blockNumber }) => blockNumber > number)
          await foldInRanges(db, opened, again, ends)
          expect(await told(db)).toEqual(naiveFold(both, caps))
        } finally {
          await close()
        }
      },
    ),
    { numRuns: 25, endOnFailure: true },
  )
})

/** Up to block 60, in ranges that end at these blocks. */
async function foldInRanges(db: Db, opened: Event, found: readonly FoundPayment[], ends: readonly number[]) {
  for (const end of [...new Set([...ends, 60])].sort((a, b) => a - b)) {
    const from = (await getScanCursor(db))?.height ?? -1n
    if (BigInt(end) <= from) continue
    const range = found.filter(({ blockNumber }) => blockNumber > from && blockNumber <= end)
    await foldTo(db, opened, end, range)
  }
}

const told = async (db: Db) =>
  (await db.select().from(payments).orderBy(asc(payments.blockNumber), asc(payments.transactionIndex))).map(
    ({ payer, reason, ticketNumber, ticketCount }) => [payer, reason, ticketNumber, ticketCount],
  )

/** The rule once more: every payment is looked at with all that have tickets before it. */
function naiveFold(found: readonly FoundPayment[], { maxTickets, maxPerWallet }: Limits) {
  const had: { payer: Address; tickets: number }[] = []
  const sum = (some: typeof had) => some.reduce((total, { tickets }) => total + tickets, 0)
  return found.map(({ payer, units }) => {
    const tickets = Number(units / (3n * 10n ** 18n))
    const before = sum(had)
    const ofPayer = sum(had.filter((one) => one.payer === payer))
    if (tickets === 0) return [payer, 'underpaid', null, 0]
    if (before + tickets > (maxTickets ?? 1e9) || ofPayer + tickets > (maxPerWallet ?? 1e9))
      return [payer, 'over_cap', null, 0]
    had.push({ payer, tickets })
    return [payer, null, before + 1, tickets]
  })
}
