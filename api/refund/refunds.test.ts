import { sql } from 'drizzle-orm'
import pino from 'pino'
import { type Address, getAddress, numberToHex, pad } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { beginRefundMode } from '../../db/event/sale.ts'
import { addTransfers, getOutgoingCursor, noteCodes, recordOutgoing } from '../../db/refund/facts.ts'
import { openAdminSession } from '../../e2e/lab/admin-api.ts'
import { passingClock } from '../../e2e/lab/hand-clock.ts'
import { alice, bob, foldTo, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'

/** Of nobody here. */
const stranger = `0x${'5a'.repeat(20)}` as const
const hashOf = (digit: string) => `0x${digit.repeat(64)}` as const
const units = (cents: number) => `${unitsOf(cents)}`
/** What a worker does when it is called. */
let work = async (): Promise<unknown> => undefined
const logged: Record<string, unknown>[] = []

const admin = forEachTest(() =>
  openAdminSession({
    clock: passingClock(),
    jobs: { enqueue: async (name) => name === 'watch-refunds' && (await work()) !== null },
    log: pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) }),
  }),
)
beforeEach(() => {
  work = async () => undefined
  logged.length = 0
})

const get = (path: string) => admin.ask('GET', `/api/admin/${path}`)
const post = (path: string, body: object = {}) => admin.ask('POST', `/api/admin/${path}`, body)
type Call = ReturnType<typeof get>
/** The code of a refusal, or the status. */
const codeOf = async (call: Call): Promise<unknown> => ((one) => one.body.code ?? one.status)(await call)
const bodyOf = async (call: Call) => (await call).body
const rowOf = async (call: Call) => (await call).body.row
const execute = (refundInfo: object, eventNumber?: number) =>
  post('raffle/execute-refund', { refundInfo, eventNumber })
const mark = (body: object) => post('refunds/mark', body)

/** Event 1 gives back alice's 99 USDT and bob's 1 USDT for which he got no ticket; both are persons. */
async function refunding() {
  const payments = [
    paid(admin.event, { block: 2, cents: 99_00, payer: alice }),
    paid(admin.event, { block: 3, cents: 1_00, payer: bob }),
  ]
  await foldTo(admin.db, admin.event, 5, payments)
  await admin.db.transaction((tx) => beginRefundMode(tx, admin.event, 'minimum'))
  await noteCodes(
    admin.db,
    [alice, bob].map((payer) => ({ payer, isContract: false })),
  )
  await readTo(fromNow(0))
  return payments
}
const all = { totalTickets: 33, totalAmount: 100_00 }

/** What wallets sent is read up to a block of this time. */
async function readTo(blockTime: Date, transfers: ReturnType<typeof sent>[] = []) {
  const before = await getOutgoingCursor(admin.db)
  const height = (before?.height ?? 0n) + 1n
  const after = { height, hash: hashOf('c'), blockTime }
  expect(await recordOutgoing(admin.db, before, after, { transfers, anchors: [] })).toBe(true)
}

const sent = (to: Address, cents: number, { from = operator as Address, digit = 'e' } = {}) => ({
  ...{ transactionHash: hashOf(digit), wallet: from, recipient: to, token: admin.event.token },
  ...{ units: unitsOf(cents), blockNumber: 4n, blockHash: hashOf('d'), blockTime: fromNow(5) },
  ...{ transactionIndex: 0, firstLogIndex: 0 },
})

test('payers are listed by address in pages of 100, by event, state and the start of an address', async () => {
  await refunding()
  const many = Array.from({ length: 120 }, (_, index) =>
    paid(admin.event, { block: 6, index, cents: 2_00, payer: pad(numberToHex(index + 1), { size: 20 }) }),
  )
  const dust = paid(admin.event, { block: 7, cents: 5, payer: stranger })
  await foldTo(admin.db, admin.event, 8, [...many, dust])
  const first = (await get('refunds')).body
  expect(first).toHaveLength(100)
  const rest = (await get(`refunds?cursor=${first.at(-1).payer}`)).body
  expect(rest.map(({ payer }: { payer: string }) => payer.toLowerCase()).slice(-2)).toEqual([alice, bob])
  expect(rest).toHaveLength(22)
  expect(await bodyOf(get(`refunds?search=0xA1`))).toEqual([
    {
      ...{ payer: getAddress(alice), owed: units(99_00), byHand: '0', byRegister: '0', total: units(99_00) },
      ...{ due: units(99_00), amount: 99_00, state: 'due', holds: [], events: [1], tickets: 33 },
      transactionHash: null,
    },
  ])
  expect(await bodyOf(get('refunds?state=due&event=1'))).toHaveLength(2)
  expect(await bodyOf(get('refunds?event=2'))).toEqual([])
  expect(await bodyOf(get('refunds?state=dust'))).toMatchObject([{ amount: 5, holds: ['dust'] }])
  for (const bad of ['state=planned', 'event=x', 'search=1', 'cursor=0x1'])
    expect((await get(`refunds?${bad}`)).status).toBe(422)
})

test('the summary says who is owed what, and what a payer is owed rests on his payments', async () => {
  await refunding()
  expect(await bodyOf(get('refunds/summary'))).toMatchObject({
    ...{ owed: units(100_00), paid: '0', due: units(100_00), held: '0', minUnits: units(10) },
    payers: { owed: 2, due: 2, held: 0, sent: 0, settled: 0 },
    ...{ isPaused: false, isWatching: true, book: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    events: [{ eventNumber: 1, reason: 'minimum', refundInfo: all, settled: 0, due: units(100_00) }],
  })
  expect(await bodyOf(get(`refunds/${bob}`))).toMatchObject({
    row: { payer: getAddress(bob), owed: units(1_00) },
    payments: [{ amount: 1_00, reason: 'underpaid', received: '0', isOwn: false, eventNumber: 1 }],
    ...{ transfers: [], decisions: [] },
  })
  expect(await codeOf(get(`refunds/${stranger}`))).toBe('NOT_FOUND')
  expect(await bodyOf(get('refund-history'))).toMatchObject([
    { eventNumber: 1, reason: 'minimum', payers: 2, settled: 0, totalAmount: 100_00, settledAmount: 0 },
  ])
})

test('what is left to be signed is handed out for the sums that were seen, without what is held', async () => {
  expect(await codeOf(execute({ totalTickets: 0, totalAmount: 0 }))).toBe('SALES_OPEN')
  expect(await codeOf(execute(all, 2))).toBe('NOT_FOUND')
  await refunding()
  expect(await execute({ ...all, totalTickets: 32 })).toMatchObject({
    status: 409,
    body: { code: 'REFUND_TOTALS_CHANGED', values: all },
  })
  expect(await bodyOf(execute(all))).toEqual({
    needsManualExecution: true,
    refundTransactions: [
      { to: getAddress(alice), amount: 99_00, units: units(99_00), total: units(99_00) },
      { to: getAddress(bob), amount: 1_00, units: units(1_00), total: units(1_00) },
    ],
    summary: { totalRefunds: 2, totalAmount: 100_00 },
  })
  await post(`refunds/${alice}/hold`)
  expect(await bodyOf(execute(all, 1))).toMatchObject({
    refundTransactions: [{ to: getAddress(bob) }],
    summary: { totalRefunds: 1, totalAmount: 1_00 },
  })
})

test('an event that sold enough has nothing to be signed', async () => {
  await foldTo(admin.db, admin.event, 5, [paid(admin.event, { block: 2, cents: 300_00 })])
  const none = { totalTickets: 0, totalAmount: 0 }
  expect(await codeOf(execute(none))).toBe('MIN_REACHED')
})

test('nothing is handed out while refunds are paused, or the chain is not read; the log says what is missing', async () => {
  await refunding()
  const { db, deps } = admin
  deps.admin.refunds.isPaused = true
  expect(await execute(all)).toMatchObject({ status: 503, body: { code: 'REFUNDS_PAUSED' } })
  deps.admin.refunds.isPaused = false
  await db.execute(sql`delete from payer_codes where payer = ${bob}`)
  expect(await execute(all)).toMatchObject({ status: 503, body: { code: 'RPC_UNAVAILABLE' } })
  work = () => noteCodes(db, [{ payer: bob, isContract: true }])
  expect((await execute(all)).body.summary).toEqual({ totalRefunds: 1, totalAmount: 99_00 })
  await readTo(fromNow(-61))
  expect(await codeOf(execute(all))).toBe('RPC_UNAVAILABLE')
  expect((await get('refunds/summary')).body.isWatching).toBe(false)
  expect(logged.flatMap(({ reason }) => reason ?? [])).toMatchObject([
    { REFUNDS_PAUSED: true },
    { uncheckedPayers: 1 },
    { readUpTo: expect.any(String) },
  ])
})

test('a line is held and released, and a reported transaction says that it is on its way; each is a row of the audit list', async () => {
  await refunding()
  const by = (note: string) => ({ note })
  expect(await bodyOf(post(`refunds/${alice}/hold`, by('phone')))).toMatchObject({
    state: 'held',
    holds: ['manual'],
  })
  expect(await bodyOf(post(`refunds/${alice}/release`, by('him')))).toMatchObject({ state: 'due', holds: [] })
  expect((await get(`refunds/${alice}`)).body.decisions).toMatchObject([
    { decision: 'hold', holds: [], note: 'phone' },
    { decision: 'release', holds: ['manual'], note: 'him' },
  ])
  for (const decision of ['hold', 'release'])
    expect(await codeOf(post(`refunds/${stranger}/${decision}`))).toBe('NOT_FOUND')
  const transactionHash = hashOf('f')
  expect(await bodyOf(post('refunds/sent', { transactionHash, payers: [alice] }))).toEqual({
    transactionHash,
  })
  expect(await bodyOf(get('refunds?state=sent'))).toMatchObject([
    { payer: getAddress(alice), transactionHash },
  ])
  expect((await get('refunds/summary')).body.reports).toMatchObject([{ transactionHash, payers: 1 }])
  expect(await codeOf(post('refunds/sent', { transactionHash, payers: Array(181).fill(alice) }))).toBe(
    'INVALID_VALUE',
  )
  const audit = await admin.db.execute(
    sql`select action, outcome from audit where action like 'refund%' order by id`,
  )
  expect(audit.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    ...['refund.hold 200', 'refund.release 200', 'refund.hold 404', 'refund.release 404'],
    ...['refund.sent 200', 'refund.sent 422'],
  ])
})

test('a transfer that was sent by hand holds the line until it is marked, and the mark is taken back', async () => {
  await refunding()
  await readTo(fromNow(0), [sent(alice, 40_00)])
  const transactionHash = hashOf('e')
  expect((await rowOf(get(`refunds/${alice}`))).holds).toEqual(['transfer'])
  expect(await bodyOf(mark({ transactionHash, markedAs: 'refund' }))).toMatchObject({
    row: { state: 'due', byHand: units(40_00), total: units(59_00), amount: 59_00 },
    payments: [{ received: units(40_00) }],
    transfers: [{ markedAs: 'refund' }],
  })
  expect((await rowOf(mark({ transactionHash, markedAs: null }))).holds).toEqual(['transfer'])
  expect(await codeOf(mark({ transactionHash, markedAs: null }))).toBe('TRANSACTION_NOT_FOUND')
  expect(await codeOf(mark({ transactionHash, markedAs: 'prize' }))).toBe('INVALID_VALUE')
  await addTransfers(admin.db, [sent(bob, 1_00)])
  expect(await bodyOf(mark({ transactionHash, markedAs: 'none' }))).toMatchObject({
    code: 'INVALID_VALUE',
    field: 'payer',
  })
  expect((await rowOf(mark({ transactionHash, payer: bob, markedAs: 'refund' }))).state).toBe('settled')
})

test('a transfer of another wallet is read first: else its mark is taken back', async () => {
  await refunding()
  const asked = { transactionHash: hashOf('9'), payer: alice, wallet: stranger, markedAs: 'refund' }
  work = () => addTransfers(admin.db, [sent(alice, 99_00, { from: stranger, digit: '9' })])
  expect(await rowOf(mark(asked))).toMatchObject({ state: 'settled', byHand: units(99_00) })
  work = async () => undefined
  const unknown = { ...asked, transactionHash: hashOf('8') }
  expect(await codeOf(mark({ ...unknown, wallet: undefined }))).toBe('TRANSACTION_NOT_FOUND')
  expect(await codeOf(mark(unknown))).toBe('TRANSACTION_NOT_FOUND')
  await readTo(fromNow(-61))
  expect(await codeOf(mark(unknown))).toBe('RPC_UNAVAILABLE')
  expect(await admin.db.execute(sql`select 1 from transfer_marks`)).toHaveLength(1)
})

test('a payment without a ticket is marked as the operator’s own, and nobody is owed it', async () => {
  const [, leftover] = await refunding()
  const { transactionHash } = leftover as { transactionHash: string }
  expect(await bodyOf(mark({ transactionHash, markedAs: 'own' }))).toMatchObject({
    row: { owed: '0', state: 'settled' },
    payments: [{ isOwn: true, amount: 1_00 }],
  })
  expect((await rowOf(mark({ transactionHash, markedAs: null }))).owed).toBe(units(1_00))
  expect(await codeOf(mark({ transactionHash: hashOf('7'), markedAs: 'own' }))).toBe('TRANSACTION_NOT_FOUND')
})

test('a wallet is stolen since a moment that has passed, if it is one of ours', async () => {
  const stolen = (body: object) => post('wallets/stolen', body)
  expect(await codeOf(stolen({ wallet: stranger, from: '2020-01-01T00:00' }))).toBe('NOT_FOUND')
  expect(await codeOf(stolen({ wallet: operator, from: '2999-01-01T00:00' }))).toBe('INVALID_VALUE')
  const from = '2020-01-01T00:00:00.000Z'
  expect(await bodyOf(stolen({ wallet: operator, from }))).toEqual({
    wallet: getAddress(operator),
    stolenFrom: from,
  })
})

test('the refund notice opens only in refund mode, and closes', async () => {
  const notice = (body?: unknown) => admin.ask('POST', '/api/admin/raffle/refund-notification', body)
  expect((await notice()).body.code).toBe('SALES_OPEN')
  await refunding()
  expect(await notice()).toMatchObject({ status: 200, body: { active: true } })
  await admin.deps.state.refresh()
  expect(await bodyOf(admin.call('GET', '/api/raffle/draw-status'))).toMatchObject({
    refundNotice: true,
    refunds: [{ eventNumber: 1, days: 0, paid: 0, open: 1 }],
  })
  expect(await notice({ active: false })).toMatchObject({ status: 200, body: { active: false } })
})
