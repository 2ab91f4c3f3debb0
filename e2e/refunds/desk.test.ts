import { sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { readdressDigests } from '../../core/refund/signature.ts'
import { operator } from '../lab/chain.ts'
import { withOtherPast } from '../lab/other-past.ts'
import { type Desk, openDesk } from '../lab/refund-desk.ts'
import { usdt } from '../lab/usdt.ts'

let desk: Desk
let alice: Address
let bob: Address
let carol: Address

beforeEach(async () => {
  desk = await openDesk()
  ;[alice, bob, carol] = desk.chain.buyers
})
afterEach(() => desk?.close())

/** Three buyers paid 6, 9 and 12 USDT, and too few tickets were sold. `after` the payments, before the batch. */
async function missedMinimum(after?: () => Promise<unknown>) {
  for (const [from, cents] of [
    [alice, 600],
    [bob, 900],
    [carol, 1_200],
  ] as const)
    await desk.chain.submitPayment({ from, cents })
  await after?.()
  await desk.refundMode()
  const { body } = await desk.execute()
  return body.refundTransactions.map((row: { id: number }) => row.id) as [number, number, number]
}
const rowsById = async () => {
  const { body } = await desk.get('/refunds')
  return new Map<number, { state: string; reason: string | null; dueUnits: string; revision: number }>(
    body.rows.map((row: { id: number }) => [row.id, row]),
  )
}
const row = async (id: number) => (await rowsById()).get(id)

test('R1 the totals must be those of the event; the same call again answers the same rows', async () => {
  await desk.chain.submitPayment({ from: alice, cents: 9_950 })
  await desk.chain.submitPayment({ from: bob, cents: 100 })
  await desk.settle()
  const tooEarly = await desk.post('/raffle/execute-refund', {
    refundInfo: { totalTickets: 33, totalAmount: 10_050 },
  })
  expect([tooEarly.status, tooEarly.body.code]).toEqual([409, 'SALES_OPEN'])
  await desk.refundMode()
  const wrong = await desk.post('/raffle/execute-refund', {
    refundInfo: { totalTickets: 33, totalAmount: 9_950 },
  })
  expect([wrong.status, wrong.body.code]).toEqual([409, 'REFUND_TOTALS_CHANGED'])
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      desk.post('/raffle/execute-refund', { refundInfo: { totalTickets: 33, totalAmount: 10_050 } }),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(answers[0]?.body).toEqual({
    needsManualExecution: true,
    refundTransactions: [
      {
        id: 1,
        to: getAddress(alice),
        amount: 9_950,
        units: `${unitsOf(9_950)}`,
        state: 'planned',
        reason: null,
        transactionHash: null,
      },
      {
        id: 2,
        to: getAddress(bob),
        amount: 100,
        units: `${unitsOf(100)}`,
        state: 'planned',
        reason: null,
        transactionHash: null,
      },
    ],
    summary: { totalRefunds: 2, totalAmount: 10_050, totalUnits: `${unitsOf(10_050)}` },
  })
  expect(await desk.db.execute(sql`select count(*)::int as n from refund_batches`)).toEqual([{ n: 1 }])
})

test('R6 no refund of an event whose minimum is reached or that has a winner, none while paused or unwatched', async () => {
  await desk.chain.submitPayment({ from: alice, cents: 900 })
  await desk.settle()
  const minimumIs = (count: number) =>
    withOtherPast(desk.db, (tx) => tx.execute(sql`update events set min_tickets = ${count}`))
  await minimumIs(3)
  const execute = async () => (await desk.execute()).body.code
  expect(await execute()).toBe('MIN_REACHED')
  await minimumIs(100)
  await desk.refundMode()
  await desk.db.execute(sql`update refund_watch set checked_at = now() - interval '2 minutes'`)
  const unwatched = await desk.execute()
  expect([unwatched.status, unwatched.body.code]).toEqual([503, 'RPC_UNAVAILABLE'])
  expect(await desk.db.execute(sql`select 1 from refund_batches`)).toEqual([])
  await desk.db.execute(sql`insert into draws (event_number, blocks, ledger_sha256, tickets_sold, seed, counter,
    random_number, winning_ticket, winning_payment) select 1, '[]', '0x', 3, '0x', 0, 1, 1, id from payments where status = 'credited'`)
  expect(await execute()).toBe('WINNER_EXISTS')
})

test('R4 a row goes to one of two administrators; a rejection frees it at once, a late one frees nothing', async () => {
  const [first] = await missedMinimum()
  const offers = await Promise.all([desk.offer([first]), desk.offer([first])])
  const claims = offers.flatMap(({ body }) => body.rows)
  expect(claims).toMatchObject([{ id: first, units: `${unitsOf(600)}`, state: 'offered' }])
  expect((await desk.offer([first])).body.rows).toEqual([])
  await desk.post(`/refunds/${first}/rejected`, { revision: claims[0].revision })
  const again = (await desk.offer([first])).body.rows
  expect(again).toHaveLength(1)
  await desk.post(`/refunds/${first}/rejected`, { revision: claims[0].revision })
  expect((await desk.offer([first])).body.rows).toEqual([])
})

test('R2 an answer that was lost is never sent again, and settles by what the final chain says', async () => {
  const [first] = await missedMinimum()
  await desk.offer([first])
  await desk.transfer(alice, unitsOf(600))
  await desk.chain.mine()
  expect((await desk.offer([first])).body.rows ?? []).toEqual([])
  await desk.settle()
  expect(await row(first)).toMatchObject({ state: 'settled', dueUnits: '0' })
  const { body } = await desk.execute()
  expect(body.refundTransactions).toHaveLength(2)
  expect(body.summary.totalRefunds).toBe(3)
})

test('I16 what never came is offered again only when its nonce has gone to something else', async () => {
  const [first, second] = await missedMinimum()
  await desk.offer([first])
  await desk.settle()
  expect(await row(first)).toMatchObject({ state: 'offered' })
  const { rows } = (await desk.offer([second])).body
  const hash = await desk.transfer(bob, BigInt(rows[0].units))
  await desk.post(`/refunds/${second}/sent`, { transactionHash: hash })
  await desk.settle()
  // The lost one may still carry the number after that.
  expect(await row(first)).toMatchObject({ state: 'offered' })
  expect(await row(second)).toMatchObject({ state: 'settled' })
  await desk.cancel(await desk.nonce())
  await desk.settle()
  // Its page may still wait for the wallet.
  expect(await row(first)).toMatchObject({ state: 'offered' })
  await desk.abandon()
  await desk.settle()
  expect(await row(first)).toMatchObject({ state: 'failed', reason: 'replaced' })
  expect((await desk.offer([first])).body.rows).toHaveLength(1)
})

test('I16 a page that waits keeps its rows, and what it may sign later is counted', async () => {
  const [first] = await missedMinimum()
  const { rows } = (await desk.offer([first])).body
  await desk.cancel(await desk.nonce())
  await desk.chain.mine()
  await desk.abandon()
  const kept = await desk.post('/refunds/keep', {
    rows: [{ id: first, revision: rows[0].revision }],
    nonce: await desk.nonce(),
  })
  expect(kept.body).toEqual({ ids: [first] })
  await desk.settle()
  expect(await row(first)).toMatchObject({ state: 'offered' })
  await desk.abandon()
  await desk.settle()
  expect(await row(first)).toMatchObject({ state: 'offered' })
  const stale = await desk.post('/refunds/keep', { rows: [{ id: first, revision: 99 }], nonce: 0 })
  expect(stale.body).toEqual({ ids: [] })
})

test('R3 speeding up changes the hash and cancelling ends it: facts decide', async () => {
  const [first, second] = await missedMinimum()
  const at = await desk.nonce()
  await desk.offer([first])
  const slow = await desk.transfer(alice, unitsOf(600), { nonce: at })
  await desk.post(`/refunds/${first}/sent`, { transactionHash: slow })
  const fast = await desk.transfer(alice, unitsOf(600), { nonce: at, gasPrice: 10n ** 10n })
  await desk.settle()
  expect(await row(first)).toMatchObject({ state: 'settled', transactionHash: fast })
  expect((await desk.get(`/refunds/${first}`)).body).toMatchObject({
    payer: getAddress(alice),
    offered: null,
    payments: [{ amount: 600, ticketCount: 2, reason: null }],
    transfers: [{ transactionHash: fast, to: getAddress(alice), amount: 600 }],
  })
  expect((await desk.get('/refunds/999')).status).toBe(404)
  await desk.offer([second])
  const doomed = await desk.transfer(bob, unitsOf(900))
  await desk.post('/refunds/sent', { ids: [second], transactionHash: doomed })
  await desk.cancel(at + 1)
  await desk.settle()
  expect(await row(second)).toMatchObject({ state: 'failed', reason: 'replaced' })
})

test('R2 money sent by hand, before or after the batch, is subtracted; what is under way stops the desk', async () => {
  const [first, second, third] = await missedMinimum(async () => {
    await desk.chain.mine()
    await desk.transfer(alice, unitsOf(250))
  })
  expect((await row(first))?.dueUnits).toBe(`${unitsOf(350)}`)
  await desk.transfer(bob, unitsOf(900))
  const busy = await desk.offer([second])
  expect([busy.status, busy.body.code]).toEqual([409, 'TX_PENDING'])
  await desk.settle()
  expect(await row(second)).toMatchObject({ state: 'settled' })
  const { rows } = (await desk.offer([first, second, third])).body
  expect(rows.map((one: { units: string }) => one.units)).toEqual([`${unitsOf(350)}`, `${unitsOf(1_200)}`])
})

test('R2 a payment for something else is named as such and counts no more', async () => {
  const [first] = await missedMinimum()
  const prize = await desk.transfer(alice, unitsOf(250_000))
  await desk.settle()
  expect(await row(first)).toMatchObject({ state: 'planned', reason: 'covered', dueUnits: '0' })
  expect((await desk.offer([first])).body.rows).toEqual([])
  const { body } = await desk.get('/refunds')
  expect(body.summary.unallocated).toMatchObject([{ transactionHash: prize, position: 0, amount: 250_000 }])
  const marked = { transactionHash: prize, position: 0, notRefund: true }
  expect((await desk.post('/refunds/transfers', marked)).status).toBe(200)
  expect(await row(first)).toMatchObject({ state: 'planned', reason: null, dueUnits: `${unitsOf(600)}` })
})

test('a hash that was reported without an offer settles by facts, and a wrong one frees nothing', async () => {
  const [first, second] = await missedMinimum()
  const hash = await desk.transfer(alice, unitsOf(600))
  expect((await desk.post(`/refunds/${first}/sent`, { transactionHash: hash })).body).toMatchObject({
    state: 'sent',
  })
  await desk.settle()
  expect(await row(first)).toMatchObject({ state: 'settled', transactionHash: hash })
  await desk.offer([second])
  await desk.post(`/refunds/${second}/sent`, { transactionHash: hash })
  await desk.settle()
  expect(await row(second)).toMatchObject({ state: 'sent' })
  expect((await desk.post(`/refunds/${second}/lost`)).body.code).toBe('TX_PENDING')
  expect((await desk.post('/refunds/999/sent', { transactionHash: hash })).status).toBe(404)
})

test('I10 a refund whose block is replaced below finality is in flight again, and settles where it is mined anew', async () => {
  const [first] = await missedMinimum()
  const at = await desk.nonce()
  await desk.offer([first])
  const hash = await desk.transfer(alice, unitsOf(600), { nonce: at })
  await desk.post(`/refunds/${first}/sent`, { transactionHash: hash })
  await desk.settle()
  expect(await row(first)).toMatchObject({ state: 'settled' })
  await desk.chain.reorg(4)
  await desk.watch()
  expect(await row(first)).toMatchObject({ state: 'sent', transactionHash: hash })
  expect((await desk.offer([first])).body.rows ?? []).toEqual([])
  const again = await desk.transfer(alice, unitsOf(600), { nonce: at, gasPrice: 2n * 10n ** 9n })
  await desk.chain.finalize()
  await desk.watch()
  expect(await row(first)).toMatchObject({ state: 'settled', transactionHash: again })
})

test('contracts are held: released to the paying address, or readdressed by what the contract says (ERC-1271)', async () => {
  const wallet = await desk.chain.deploy(carol, 'ContractWallet')
  await desk.chain.submitPayment({ from: carol, to: wallet, cents: 900 })
  await desk.chain.mine()
  await desk.chain.submitCall(carol, wallet, 'ContractWallet', 'pay', [usdt, operator, unitsOf(900)])
  await desk.refundMode()
  const { body } = await desk.execute()
  const [held] = body.refundTransactions
  expect(held).toMatchObject({ to: getAddress(wallet), reason: 'contract' })
  expect((await desk.offer([held.id])).body.rows).toEqual([])
  const wish = { chainId: 56, rowId: held.id, payer: wallet, recipient: carol }
  const digest = readdressDigests(wish)[0]?.digest
  const bad = await desk.post(`/refunds/${held.id}/readdress`, { recipient: bob, signature: digest })
  expect([bad.status, bad.body.code]).toEqual([422, 'INVALID_VALUE'])
  expect(await row(held.id)).toMatchObject({ reason: 'contract' })
  const good = await desk.post(`/refunds/${held.id}/readdress`, { recipient: carol, signature: digest })
  expect(good.body).toMatchObject({ to: getAddress(carol), reason: null })
  expect((await desk.offer([held.id])).body.rows).toMatchObject([{ to: getAddress(carol) }])
})

test('R5 another address is taken from the payer alone; recipients and amounts in a body are refused', async () => {
  const [first] = await missedMinimum()
  const stranger = privateKeyToAccount(`0x${'22'.repeat(32)}`)
  const { body: wish } = await desk.get(`/refunds/${first}/readdress?recipient=${stranger.address}`)
  const foreign = await stranger.signMessage({ message: wish.message })
  const body = { recipient: stranger.address, signature: foreign }
  expect((await desk.post(`/refunds/${first}/readdress`, body)).body.code).toBe('INVALID_VALUE')
  const own = await desk.chain.rpc<string>('personal_sign', [
    `0x${Buffer.from(wish.message).toString('hex')}`,
    alice,
  ])
  const moved = await desk.post(`/refunds/${first}/readdress`, { ...body, signature: own })
  expect(moved.body).toMatchObject({ to: stranger.address })
  for (const tampered of [
    { refundInfo: { totalTickets: 9, totalAmount: 2_700, recipients: [] } },
    { refundInfo: { totalTickets: 9, totalAmount: 2_700 }, rows: [{ to: bob }] },
  ])
    expect((await desk.post('/raffle/execute-refund', tampered)).body.code).toBe('UNKNOWN_FIELD')
  const offer = { ids: [first], wallet: bob, nonce: 0 }
  expect((await desk.post('/refunds/offer', offer)).body.code).toBe('INVALID_VALUE')
  expect((await desk.post('/refunds/offer', { ...offer, wallet: operator, to: bob })).body.code).toBe(
    'UNKNOWN_FIELD',
  )
})

test('I18 every step of the desk leaves its audit row; what decides about money asks for a fresh password', async () => {
  const [first] = await missedMinimum()
  await desk.offer([first])
  await desk.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
  for (const [path, body] of [
    ['/raffle/execute-refund', { refundInfo: { totalTickets: 9, totalAmount: 2_700 } }],
    [`/refunds/${first}/release`, undefined],
    ['/refunds/transfers', { transactionHash: `0x${'1'.repeat(64)}`, position: 0, notRefund: true }],
  ] as const)
    expect((await desk.post(path, body)).body.code).toBe('REAUTH_REQUIRED')
  const audit = await desk.db.execute<{ action: string; outcome: string }>(
    sql`select action, outcome from audit where action like 'refund%' order by id`,
  )
  expect(audit.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'refund.execute 200',
    'refund.offer 200',
    'refund.execute 403',
    'refund.release 403',
    'refund.transfer 403',
  ])
})
