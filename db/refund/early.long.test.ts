import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import type { RefundKind } from '../../core/refund/rules.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob, foldTo, openEvent, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { recordPassed } from '../payment/fold.ts'
import { refundRows } from '../schema/index.ts'
import { writeBatch } from './batch.ts'
import { noteChecked } from './checks.ts'
import { answerReaddress, askReaddress, releaseRow } from './decisions.ts'
import { dueRefundWork } from './due.ts'
import { listRefundRows } from './list.ts'
import { eachRefundRecipient } from './recipients.ts'
import { refundFacts } from './totals.ts'

const database = forEachTest(testDb)
const event = forEachTest(() => openEvent(database.db))

/** H1: alice paid before the sale, and later too little; bob bought tickets. */
beforeEach(async () => {
  await recordPassed(database.db, [paid(event, { block: -100, cents: 50_000_00 })])
  await foldTo(database.db, event, 9, [
    paid(event, { block: 1, cents: 2_00 }),
    paid(event, { block: 2, cents: 9_00, payer: bob }),
  ])
})

const prepare = (kind: RefundKind) =>
  database.db.transaction((tx) => writeBatch(tx, { kind, eventNumber: 1, minUnits: unitsOf(10) }))
const rowsOf = async (kind: RefundKind) =>
  (await listRefundRows(database.db, { kind, eventNumber: 1 })).map(({ row }) => row)
const amountsOf = async (kind: RefundKind) =>
  (await rowsOf(kind)).map(({ amount, reason }) => [amount, reason])
const allChecked = (contracts: readonly number[] = []) =>
  database.db
    .select({ id: refundRows.id })
    .from(refundRows)
    .then((rows) =>
      noteChecked(
        database.db,
        rows.map(({ id }) => id),
        contracts,
      ),
    )
const enterRefundMode = () =>
  database.db.execute(sql`update events set refund_mode_at = now(), frozen_at = now(), ledger_sha256 = '0x',
    ledger_lines = 1, draw_date = now(), sale_end = now()`)

test('a leftover batch holds money from before the sale, apart from other money of its payer', async () => {
  expect(await refundFacts(database.db, { kind: 'leftover', eventNumber: 1 })).toMatchObject({
    totalRefunds: 2,
    totalAmount: 50_002_00,
  })
  await prepare('leftover')
  await allChecked()
  expect(await amountsOf('leftover')).toEqual([
    [2_00, null],
    [50_000_00, 'early'],
  ])
  await prepare('leftover')
  expect(await rowsOf('leftover')).toHaveLength(2)
})

test('it is released one row at a time; being a contract does not hide what it is held for', async () => {
  await prepare('leftover')
  const early = (await rowsOf('leftover')).find(({ amount }) => amount === 50_000_00)
  await allChecked([early?.id ?? 0])
  expect(await amountsOf('leftover')).toEqual([
    [2_00, null],
    [50_000_00, 'early'],
  ])
  await database.db.transaction((tx) => releaseRow(tx, early?.id ?? 0))
  expect(await amountsOf('leftover')).toEqual([
    [2_00, null],
    [50_000_00, null],
  ])
})

test('its payer can name another address, which does not make it a debt', async () => {
  await prepare('leftover')
  await allChecked()
  const early = (await rowsOf('leftover')).find(({ reason }) => reason === 'early')
  const asked = await askReaddress(database.db, {
    ...{ rowId: early?.id ?? 0, recipient: bob, signature: '0x00', waitMs: 10_000 },
  })
  await database.db.transaction((tx) => answerReaddress(tx, asked, 'personal'))
  expect(await amountsOf('leftover')).toContainEqual([50_000_00, 'early'])
})

test('refund mode gives back what belongs to the event and nothing from before the sale', async () => {
  await enterRefundMode()
  expect(await refundFacts(database.db, { kind: 'event', eventNumber: 1 })).toMatchObject({
    totalRefunds: 2,
    totalAmount: 11_00,
  })
  await prepare('event')
  await allChecked()
  expect(await amountsOf('event')).toEqual([
    [2_00, null],
    [9_00, null],
  ])
  expect((await dueRefundWork(database.db)).events).toEqual([])
  const recipients: string[] = []
  await eachRefundRecipient(database.db, { eventNumber: 1 }, async (rows) => {
    recipients.push(...rows.map(({ payer, amount }) => `${payer.toLowerCase()} ${amount}`))
  })
  expect(recipients.sort()).toEqual([`${alice} 200`, `${bob} 900`])
  await prepare('leftover')
  expect(await amountsOf('leftover')).toEqual([[50_000_00, 'early']])
})
