import { sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../../core/money.ts'
import { readdressDigests } from '../../../core/refund/signature.ts'
import { operator } from '../../lab/chain.ts'
import { forEachTest } from '../../lab/opened.ts'
import { withOtherPast } from '../../lab/other-past.ts'
import { openDesk } from '../../lab/refund-desk.ts'
import { usdt } from '../../lab/usdt.ts'

const desk = forEachTest(openDesk)
let alice: Address
let bob: Address
let carol: Address

beforeEach(async () => {
  ;[alice, bob, carol] = desk.chain.buyers
})

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
  await desk.db.execute(sql`insert into draws (event_number, blocks, block_seed, ledger_sha256, tickets_sold, seed,
    counter, random_number, winning_ticket, winning_payment, winners, reserves)
    select 1, '[]', '0x', '0x', 3, '0x', 0, 1, 1, id, '[]', '[]' from payments where status = 'credited'`)
  expect(await execute()).toBe('WINNER_EXISTS')
})

test('R4 a row goes to one of two administrators; a rejection frees it at once, a late one frees nothing', async () => {
  const [first] = await desk.missedMinimum()
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
  expect(await desk.row(held.id)).toMatchObject({ reason: 'contract' })
  const good = await desk.post(`/refunds/${held.id}/readdress`, { recipient: carol, signature: digest })
  expect(good.body).toMatchObject({ to: getAddress(carol), reason: null })
  expect((await desk.offer([held.id])).body.rows).toMatchObject([{ to: getAddress(carol) }])
})

test('R5 another address is taken from the payer alone; recipients and amounts in a body are refused', async () => {
  const [first] = await desk.missedMinimum()
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

test('an event that ended without a ticket has nothing to refund, in refund mode and out of it', async () => {
  const refundInfo = { totalTickets: 0, totalAmount: 0 }
  const nothing = { status: 409, body: { code: 'NOTHING_TO_REFUND' } }
  await desk.refundMode()
  expect(await desk.post('/raffle/execute-refund', { refundInfo })).toMatchObject(nothing)
  await withOtherPast(desk.db, (tx) => tx.execute(sql`update events set refund_mode_at = null`))
  expect(await desk.post('/raffle/execute-refund', { refundInfo })).toMatchObject(nothing)
})

test('I18 every step of the desk leaves its audit row; what decides about money asks for a fresh password', async () => {
  const [first] = await desk.missedMinimum()
  await desk.offer([first])
  await desk.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
  for (const [path, body] of [
    ['/raffle/execute-refund', { refundInfo: { totalTickets: 9, totalAmount: 2_700 } }],
    [`/refunds/${first}/release`, undefined],
    ['/refunds/rejected', { rows: [{ id: first, revision: 1 }] }],
    [`/refunds/${first}/rejected`, { revision: 1 }],
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
    'refund.rejected 403',
    'refund.rejected 403',
    'refund.transfer 403',
  ])
})
