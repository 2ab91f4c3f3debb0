import { Writable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { type Event, getOpenEvent, watchWallet } from '../../db/event/events.ts'
import { eachEntry } from '../../db/report/journal.ts'
import { openAdminSession } from '../../e2e/lab/admin-api.ts'
import { openWallet, received, reckonTo, sent } from '../../e2e/lab/flows-story.ts'
import { alice, bob, foldTo, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { agreedBlocks, drawnFrom, soldOut } from '../../e2e/lab/recorded-draw.ts'
import { decimal, writeJournal } from './journal-csv.ts'
import { sayIn } from './texts.ts'

const adminApi = forEachTest(openAdminSession)
const refunder = `0x${'1f'.repeat(20)}` as Address

/** The sale began some days ago, at noon; block n is n seconds later. */
async function oldSale(days: number): Promise<Event> {
  const { db } = adminApi
  await db.execute(
    sql`update events set sale_start = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
      - make_interval(days => ${days}) + interval '12 hours'`,
  )
  return (await getOpenEvent(db)) as Event
}
const dayOf = (event: Event, later = 0): string =>
  new Date(event.saleStart.getTime() + later * 86_400_000).toISOString().slice(0, 10)

type Line = Record<string, string>
async function journal(from: string, to: string): Promise<Line[]> {
  const chunks: Buffer[] = []
  const sink = new Writable({ write: (chunk, _, done) => done(void chunks.push(chunk)) })
  await writeJournal(sink, adminApi.db, { from, to }, sayIn('en'))
  return linesOf(Buffer.concat(chunks).toString())
}
function linesOf(text: string): Line[] {
  expect(text.startsWith('\uFEFF')).toBe(true)
  const [head = '', ...rows] = text.slice(1, -2).split('\r\n')
  const names = head.split(',')
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, at) => [names[at] ?? '', cell])))
}
/** By the call, in a process of its own. */
async function downloaded(from: string, to: string, more = ''): Promise<{ text: string; headers: Headers }> {
  const path = `/api/admin/export/journal?from=${from}&to=${to}${more}`
  const answer = await adminApi.send('GET', path, { token: adminApi.token })
  expect(answer.status).toBe(200)
  return {
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.bytes()),
    headers: answer.headers,
  }
}
const units = 'Amount (10^-18 USDT)'
const sumOf = (lines: readonly Line[]) => lines.reduce((sum, line) => sum + BigInt(line[units] ?? 0), 0n)
/** Account, wallet or event, and what stands there, in hundredths. */
function balancesOf(lines: readonly Line[]): Record<string, number> {
  const sums = new Map<string, bigint>()
  for (const line of lines) {
    const place = [line['Account no.'], line.Wallet?.slice(0, 4), line.Event && `#${line.Event}`]
    const key = place.filter(Boolean).join(' ')
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(line[units] ?? 0))
  }
  return Object.fromEntries(
    [...sums].filter(([, sum]) => sum !== 0n).map(([key, sum]) => [key, Number(sum / unitsOf(1))]),
  )
}
function expectBalanced(lines: readonly Line[]): void {
  const entries = Map.groupBy(lines, (line) => line.Entry)
  for (const [number, of] of entries) expect([number, sumOf(of)]).toEqual([number, 0n])
}

test('a sale, its refunds and moves are booked twice each, and the wallets’ accounts are what they hold', async () => {
  const { db } = adminApi
  const event = await oldSale(3)
  await watchWallet(db, operator)
  await watchWallet(db, refunder, 'refund')
  await openWallet(db, event, { block: 2, cents: 5_00 })
  await openWallet(db, event, { block: 4, cents: 0, wallet: refunder })
  const top = { block: 6, index: 2, to: refunder, cents: 4_00 }
  await foldTo(db, event, 30, [
    // Before the wallet was opened: what it held then is owed for tickets.
    paid(event, { block: 1, cents: 3_00, payer: bob }),
    paid(event, { block: 3, cents: 99_00 }),
    paid(event, { block: 5, cents: 1_00, payer: bob }),
  ])
  const hash = await sent(db, event, top)
  await received(db, event, { ...top, hash, from: operator })
  await received(db, event, { block: 8, to: refunder, cents: 2, from: bob })
  // More than he is owed without a ticket: the rest of what he paid is not drawn yet.
  await sent(db, event, { block: 9, from: refunder, to: bob, cents: 3_50, index: 1 })
  await sent(db, event, { block: 10, to: `0x${'cc'.repeat(20)}`, cents: 7_00, index: 4 })
  await reckonTo(db, event, 28)

  const lines = await journal(dayOf(event), dayOf(event))
  expectBalanced(lines)
  expect(balancesOf(lines)).toEqual({
    '1000 0x0f': 5_00 + 99_00 + 1_00 - 4_00 - 7_00,
    '1000 0x1f': 4_00 + 2 - 3_50,
    // Alice's 99 and what is left of Bob's 3 after 2.50 of it went back.
    '2100 #1': -(99_00 + 3_00 - 2_50),
    '3000': 7_00 - 2,
    '3900': -(5_00 - 3_00),
  })
  const end = lines.filter((line) => line.Account === 'Wallet (USDT)').slice(-2)
  expect(end.map((line) => [line.Block, line[units], line['Balance of the account (USDT)']])).toEqual([
    ['28', '0', '94.00'],
    ['28', '0', '0.52'],
  ])
  const move = lines.filter((line) => line['Transaction hash'] === hash)
  expect(move.map((line) => [line['Account no.'], line['Debit (USDT)'], line['Credit (USDT)']])).toEqual(
    expect.arrayContaining([
      ['1000', '4.00', ''],
      ['1000', '', '4.00'],
    ]),
  )
  expect(move).toHaveLength(2)
  const { text } = await downloaded(dayOf(event), dayOf(event), '&lang=en')
  expect(linesOf(text)).toEqual(lines)
  const audit = await adminApi.ask('GET', '/api/admin/audit?action=export.journal')
  expect(audit.body[0].after).toEqual({ from: dayOf(event), to: dayOf(event) })
})

test('a draw turns what tickets brought into revenue, and a later period begins with what the one before ended with', async () => {
  const { db } = adminApi
  const sold = await soldOut(db, {
    payments: [
      { payer: alice, cents: 99_00 },
      { payer: bob, cents: 1_00 },
    ],
    winners: 1,
  })
  await watchWallet(db, operator)
  await openWallet(db, sold, { block: 0, cents: 0 })
  await reckonTo(db, sold, 110)
  const [from, to] = [dayOf(sold, -1), dayOf(sold, 1)]
  expect(balancesOf(await journal(from, to))).toEqual({
    '1000 0x0f': 100_00,
    '2100 #1': -99_00,
    '2200': -1_00,
  })
  await drawnFrom(db, sold, agreedBlocks(sold, 1))
  await reckonTo(db, sold, 130)

  const lines = await journal(from, to)
  expectBalanced(lines)
  const after = { '1000 0x0f': 100_00, '2200': -1_00, '4000 #1': -99_00 }
  expect(balancesOf(lines)).toEqual(after)
  const draw = lines.filter((line) => line.Kind === 'Draw')
  expect(
    draw.map((line) => [line.Block, line['Account no.'], line['Debit (USDT)'], line['Credit (USDT)']]),
  ).toEqual([
    ['120', '2100', '99.00', ''],
    ['120', '4000', '', '99.00'],
  ])
  const later = await journal(dayOf(sold, 2), dayOf(sold, 3))
  expectBalanced(later)
  expect(balancesOf(later)).toEqual(after)
  // Days that have not come yet: nothing moved in them.
  const begin = `${dayOf(sold, 2)}T00:00:00Z`
  expect(new Set(later.map((line) => `${line.Kind} ${line['Time (UTC)']}`))).toEqual(
    new Set([`Brought forward ${begin}`, `End ${begin}`]),
  )
})

test('a transfer that is marked days later leaves the closed period as it was, and is corrected on the day of the mark', async () => {
  const { db } = adminApi
  const event = await oldSale(3)
  await watchWallet(db, operator)
  await openWallet(db, event, { block: 1, cents: 0 })
  await foldTo(db, event, 40, [
    paid(event, { block: 3, cents: 99_00 }),
    paid(event, { block: 4, cents: 1_00, payer: bob }),
  ])
  const transactionHash = await sent(db, event, { block: 9, to: bob, cents: 1_00 })
  await reckonTo(db, event, 28)
  const closed = await journal(dayOf(event), dayOf(event, 1))
  expect(balancesOf(closed)).toEqual({ '1000 0x0f': 99_00, '2100 #1': -99_00 })

  const mark = { transactionHash, position: 0, markedAs: 'other' }
  expect((await adminApi.ask('POST', '/api/admin/refunds/transfers', mark)).status).toBe(200)
  expect(await journal(dayOf(event), dayOf(event, 1))).toEqual(closed)
  const today = await journal(dayOf(event, 2), dayOf(event, 4))
  expectBalanced(today)
  const correction = today.filter((line) => line.Kind === 'Correction')
  expect(correction.map((line) => [line['Account no.'], line[units]])).toEqual([
    ['2200', `${-unitsOf(1_00)}`],
    ['3000', `${unitsOf(1_00)}`],
  ])
  expect(correction[0]?.['Time (UTC)']?.slice(0, 10)).toBe(new Date().toISOString().slice(0, 10))
  expect(balancesOf(today)).toEqual({ '1000 0x0f': 99_00, '2100 #1': -99_00, '2200': -1_00, '3000': 1_00 })
})

test('a period that is none, and books without a record, are refused', async () => {
  const ask = (query: string) => adminApi.ask('GET', `/api/admin/export/journal${query}`)
  for (const query of ['', '?from=2026-01-01', '?from=2026-02-30&to=2026-03-01', '?from=x&to=y'])
    expect((await ask(query)).body).toMatchObject({ code: 'INVALID_VALUE' })
  expect((await ask('?from=2026-02-02&to=2026-02-01')).body).toMatchObject({ field: 'to' })
  expect((await ask('?from=2026-02-01&to=2026-02-01')).status).toBe(404)
})

test('Korean words are there unless English is asked for, and the file is named in Korean', async () => {
  const { db, event } = adminApi
  await watchWallet(db, operator)
  await openWallet(db, event, { block: 1, cents: 1_00 })
  await reckonTo(db, event, 9)
  const { text, headers } = await downloaded(dayOf(event), dayOf(event, 1))
  expect(text).toContain('전표,시각 (UTC),블록,거래 해시,구분')
  expect(text).toContain('지갑 등록,,1000,지갑 (USDT)')
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toContain(encodeURIComponent('분개장.csv'))
})

test('ten thousand payments are handed on in pieces', async () => {
  const { db } = adminApi
  const event = await oldSale(3)
  await watchWallet(db, operator)
  await openWallet(db, event, { block: 0, cents: 0 })
  await db.execute(sql`
    insert into payments (transaction_hash, payer, wallet, event_number, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, ticket_number, ticket_count)
    select '0x' || encode(sha256(('hash ' || i)::bytea), 'hex'), '0x' || left(encode(sha256(('payer ' || i)::bytea), 'hex'), 40),
      ${operator}, 1, 3000000000000000000::numeric, i, '0x' || repeat('00', 32),
      ${event.saleStart.toISOString()}::timestamptz + i * interval '1 second', 0, 0, 'credited', i, 1
    from generate_series(1, 10000) as i`)
  await reckonTo(db, event, 10_000)
  let [most, lines, sum] = [0, 0, 0n]
  await eachEntry(db, { from: dayOf(event), to: dayOf(event) }, async (entries) => {
    const postings = entries.flatMap((entry) => entry.postings)
    most = Math.max(most, postings.length)
    lines += postings.length
    for (const posting of postings) if (posting.account === 'wallet') sum += posting.units
  })
  expect([lines, sum]).toEqual([20_001, unitsOf(30_000_00)])
  expect(most).toBeLessThan(5_000)
})

test('amounts are exact decimals', () => {
  expect([0n, 1n, -1n, unitsOf(99_50), -unitsOf(3_00)].map(decimal)).toEqual([
    ...['0.00', '0.000000000000000001', '-0.000000000000000001', '99.50', '-3.00'],
  ])
})
