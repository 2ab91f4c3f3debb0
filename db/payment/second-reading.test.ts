import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FoundPayment } from '../../core/payment/payment.ts'
import { alice, blockEnd, bob, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { getOpenEvent } from '../event/events.ts'
import { getScanCursor, rewindCursor } from '../event/sale.ts'
import { events } from '../schema/index.ts'
import { beginSecondReading, compareSecond, noteUnreadTwice } from './second-reading.ts'

const last = 30

const own = await forFile(usedDb())

const event = await openEvent(own.db)
const recorded = [1, 1, 4, 9, 9, 9, 20, last].map((block, index) =>
  paid(event, { block, index, cents: (index + 1) * 2_00, payer: index % 3 === 0 ? bob : alice }),
)
await foldTo(own.db, event, last, recorded)

const wallets = [operator]
const place = (block: number) => {
  const { number, timestamp } = blockEnd(event, block)
  return { height: number, blockTime: new Date(timestamp * 1000) }
}
const begin = async (block: number) => {
  await own.db.update(events).set({ readTwiceTo: null })
  await beginSecondReading(own.db, event, BigInt(block))
}
const height = async () => {
  const open = await getOpenEvent(own.db)
  return open && open.readTwiceTo !== null
    ? { height: Number(open.readTwiceTo), failed: open.readTwiceFailedAt !== null }
    : undefined
}

/** What another endpoint tells: as it is, left out, or with one fact otherwise. */
const changes = {
  same: (payment: FoundPayment) => [payment],
  leftOut: () => [],
  otherPayer: (payment: FoundPayment) => [{ ...payment, payer: `0x${'cc'.repeat(20)}` as const }],
  otherUnits: (payment: FoundPayment) => [{ ...payment, units: payment.units + 1n }],
  otherOrder: (payment: FoundPayment) => [{ ...payment, transactionIndex: payment.transactionIndex + 1 }],
  oneMore: (payment: FoundPayment) => [
    payment,
    { ...payment, transactionHash: `0x${'ab'.repeat(32)}` as const, firstLogIndex: 77 },
  ],
} as const
const change = fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[]))

test('it moves on where everything is the same, and names every block in which anything is not', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof({ weight: 9, arbitrary: fc.constant('same' as const) }, { weight: 1, arbitrary: change }),
        {
          minLength: recorded.length,
          maxLength: recorded.length,
        },
      ),
      fc.nat({ max: last - 1 }),
      fc.nat({ max: last - 1 }),
      async (kinds, x, y) => {
        const [from, to] = [Math.min(x, y) + 1, Math.max(x, y) + 1]
        await begin(from - 1)
        const inRange = recorded
          .map((payment, index) => ({ payment, kind: kinds[index] as keyof typeof changes }))
          .filter(({ payment }) => payment.blockNumber >= from && payment.blockNumber <= to)
        const read = inRange.flatMap(({ payment, kind }) => changes[kind](payment))
        const wrong = inRange.filter(({ kind }) => kind !== 'same').map(({ payment }) => payment.blockNumber)
        const step = { event, wallets, from: BigInt(from), to: place(to) }
        expect(await compareSecond(own.db, step, read)).toEqual(
          wrong.length === 0 ? 'equal' : [...new Set(wrong)],
        )
        expect(await height()).toMatchObject({ height: wrong.length === 0 ? to : from - 1 })
      },
    ),
    { numRuns: 150 },
  ))

test('what was read says nothing where cursor or wallets have moved meanwhile', async () => {
  await begin(4)
  const step = { event, wallets, from: 5n, to: place(9) }
  const read = recorded.filter(({ blockNumber }) => blockNumber === 9n)
  expect(await compareSecond(own.db, { ...step, from: 4n }, read)).toBe('moved')
  expect(await compareSecond(own.db, { ...step, to: place(last + 1) }, read)).toBe('moved')
  expect(await compareSecond(own.db, { ...step, wallets: [operator, alice] }, read)).toBe('moved')
  expect(await height()).toEqual({ height: 4, failed: false })
  expect(await compareSecond(own.db, step, read)).toBe('equal')
  expect(await compareSecond(own.db, step, read)).toBe('moved')
})

test('blocks that are folded anew are read twice again, and those before them are not', async () => {
  const cursor = await getScanCursor(own.db)
  const to = { ...place(9), hash: blockEnd(event, 9).hash }
  await begin(20)
  await own.db.transaction((tx) => rewindCursor(tx, to))
  expect(await height()).toEqual({ height: 9, failed: false })
  await begin(4)
  await own.db.transaction((tx) => rewindCursor(tx, to))
  expect(await height()).toEqual({ height: 4, failed: false })
  await own.db.transaction((tx) => rewindCursor(tx, undefined))
  expect(await height()).toBeUndefined()
  if (cursor)
    await own.db.execute(sql`insert into cursors (name, height, hash, block_time) values ('payments',
    ${cursor.height}, ${cursor.hash}, ${cursor.blockTime.toISOString()})`)
})

test('it alarms at the first failure, and then once a minute', async () => {
  await begin(4)
  expect([await noteUnreadTwice(own.db), await noteUnreadTwice(own.db)]).toEqual([true, false])
  expect(await height()).toEqual({ height: 4, failed: true })
  await own.db.execute(sql`update events set read_twice_failed_at = now() - interval '61 seconds'`)
  expect(await noteUnreadTwice(own.db)).toBe(true)
})
