import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgePayment } from '../../core/payment/judge.ts'
import { ledgerHeader, ledgerText, parseLedgerLine } from '../../core/payment/ledger.ts'
import type { FoundPayment } from '../../core/payment/payment.ts'
import { alice, bob, foldTo, openEvent, operator, paid, publishedLedger } from '../../e2e/lab/ledger-story.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { type Event, getOpenEvent } from '../event/events.ts'
import type { Db } from '../index.ts'
import { changes, events } from '../schema/index.ts'
import { getSaleRules } from './fold.ts'
import { eachLedgerPage, fingerprintLedger, freezeLedger } from './ledger.ts'

test('the file equals that of an independent fold over a thousand random payments, byte for byte', async () => {
  const { db } = await forTest(usedDb())
  const event = await openEvent(db)
  const found = randomPayments(event, 1_000)
  for (let from = 0; from < found.length; from += 137) {
    const range = found.slice(from, from + 137)
    await foldTo(db, event, Number(range.at(-1)?.blockNumber), range)
  }
  const expected = await independentFold(db, found)
  expect(await ledgerOf(db)).toBe(expected)
  const last = parseLedgerLine(expected.split('\n').at(-2) ?? '') ?? expect.fail('no line')
  expect(await fingerprintLedger(db, 1)).toEqual({
    sha256: `0x${createHash('sha256').update(expected).digest('hex')}`,
    lines: expected.split('\n').length - 2,
    ticketsSold: last.ticketNumber + last.ticketCount - 1,
  })
  for (const line of expected.split('\n').slice(1, -1))
    expect(ledgerText(parseLedgerLine(line) as never)).toBe(`${line}\n`)
})

test('the ledger is frozen and published once, when a final block at or after the sale end is folded', async () => {
  const { db } = await forTest(usedDb())
  const event = await withDrawDateIn(db, await openEvent(db), 60)
  await foldTo(db, event, 49, [paid(event, { block: 10, cents: 99_00 })])
  expect(await freezeLedger(db)).toBeUndefined()
  await foldTo(db, event, 50, [paid(event, { block: 50, cents: 3_00, payer: bob })])
  const frozen = await freezeLedger(db)
  expect(frozen).toMatchObject({
    eventNumber: 1,
    lines: 1,
    sha256: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  expect(await freezeLedger(db)).toBeUndefined()
  expect(await db.select().from(changes).where(sql`field = 'ledger'`)).toMatchObject([{ to: frozen?.sha256 }])
})

test('an empty sale has a ledger too: the header alone', async () => {
  const { db } = await forTest(usedDb())
  await openEvent(db)
  expect(await ledgerOf(db)).toBe(ledgerHeader)
})

test('while a reader of a long list takes his time, nobody else’s question waits behind its lines', async () => {
  const { db } = await forTest(usedDb())
  const event = await openEvent(db)
  await foldTo(db, event, 10, [paid(event, { block: 10, cents: 3_00 })])
  await db.execute(sql`insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', n,
    'transaction_hash', '0x' || lpad(to_hex(n), 64, '0'), 'ticket_number', n))).* from payments p, generate_series(2, 20000) n`)
  let pages = 0
  await eachLedgerPage(db, 1, async () => {
    if (pages++ === 0) await Promise.all(Array.from({ length: 40 }, () => db.execute(sql`select 1`)))
  })
  expect(pages).toBeGreaterThan(20)
})

const ledgerOf = (db: Db) => publishedLedger(db, 1)

/** A second implementation of the rule over plain values: no database, no ranges. */
async function independentFold(db: Db, found: readonly FoundPayment[]): Promise<string> {
  const rules = await getSaleRules(db)
  let next = 1
  let text = ledgerHeader
  for (const payment of found) {
    const { status, ticketCount } = judgePayment(payment, payment.blockTime, rules)
    if (status !== 'credited') continue
    text += ledgerText({ ...payment, value: payment.units, ticketNumber: next, ticketCount })
    next += ticketCount
  }
  return text
}

function randomPayments(event: Event, count: number): FoundPayment[] {
  const one = fc.record({
    cents: fc.integer({ min: 1, max: 500_00 }),
    payer: fc.constantFrom(alice, bob, operator),
    gap: fc.integer({ min: 0, max: 3 }),
  })
  let block = 1
  let index = 0
  return fc.sample(one, { numRuns: count, seed: 20250930 }).map(({ cents, payer, gap }) => {
    block += gap
    index = gap === 0 ? index + 1 : 0
    return paid(event, { block, cents, payer, index })
  })
}

/** A draw date `seconds` after the sale start, so that its sale end lies 10 s before. */
async function withDrawDateIn(db: Db, event: Event, seconds: number): Promise<Event> {
  const drawDate = new Date(event.saleStart.getTime() + seconds * 1000)
  await db.update(events).set({ drawDate, saleEnd: new Date(drawDate.getTime() - 10_000) })
  return (await getOpenEvent(db)) as Event
}
