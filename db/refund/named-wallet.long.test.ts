import { desc } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDb, testDb } from '../../e2e/lab/database.ts'
import { bob, envTerms, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import type { Event } from '../event/events.ts'
import { openNext } from '../event/next.ts'
import { proveWallet } from '../event/own-wallets.ts'
import { updateEvent } from '../event/update.ts'
import { freezeLedger } from '../payment/ledger.ts'
import { events, payments } from '../schema/index.ts'
import { refundFacts } from './totals.ts'

let own: TestDb
let event: Event

beforeEach(async () => {
  own = await testDb()
  event = await openEvent(own.db)
  // The operator names the wallet of a buyer whom he wants out of the next event.
  await updateEvent(own.db, { operatorWallet: bob }, { terms: envTerms, pinnedWallet: undefined })
  const saleEnd = new Date(event.saleStart.getTime() + 5_000)
  await own.db.update(events).set({ saleEnd, drawDate: new Date(saleEnd.getTime() + 10_000) })
})
afterEach(() => own.close())

/** Event 1 freezes and is archived; then the named wallet buys in event 2. */
async function buyInNextEvent() {
  await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 9_00, wallet: bob })])
  await freezeLedger(own.db)
  const next = await own.db.transaction((tx) => openNext(tx, event, envTerms))
  const block = (next.saleStart.getTime() - event.saleStart.getTime()) / 1000 + 60
  await foldTo(own.db, event, block, [paid(event, { block, cents: 30_00, payer: bob, wallet: operator })])
  const [last] = await own.db.select().from(payments).orderBy(desc(payments.id)).limit(1)
  const { totalAmount, waiting } = await refundFacts(own.db, { kind: 'leftover', eventNumber: 2 })
  return { reason: last?.reason, owed: totalAmount + waiting.totalAmount }
}

test('a wallet that only stood in an event, and never signed, buys nothing and gets its money back', async () => {
  expect(await buyInNextEvent()).toEqual({ reason: 'held', owed: 30_00 })
})

test('a wallet that has signed is the operator’s: what it sends is owed to nobody', async () => {
  await proveWallet(own.db, 1, bob)
  expect(await buyInNextEvent()).toEqual({ reason: 'held', owed: 0 })
})
