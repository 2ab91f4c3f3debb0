import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { unitsOf } from '../../core/money.ts'
import { watchWallet } from '../../db/event/events.ts'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { operator } from '../../e2e/lab/chain.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { openDesk } from '../../e2e/lab/refund-desk.ts'
import { payUpToData, waiveData } from '../../e2e/lab/register.ts'
import { approveData, transferData, transfersBetween, usdt } from '../../e2e/lab/usdt.ts'

const desk = forEachTest(openDesk)
let ids: [number, number, number]
beforeEach(async () => {
  ids = await desk.missedMinimum()
})

const offer = (more: Record<string, unknown>) =>
  desk.post('/refunds/offer', { ids, wallet: operator, nonce: 0, transactions: 2, ...more })
const lower = (text: string) => text.toLowerCase()

test('an offer through the register names one call, valid an hour or up to a week', async () => {
  const { status, body } = await offer({ path: 'register', nonce: await desk.nonce() })
  expect(status).toBe(200)
  expect(body.rows.map(({ id }: { id: number }) => id).sort()).toEqual([...ids].sort())
  expect([body.register.address, lower(body.register.token)]).toEqual([register.address, usdt])
  const debtors: { debtor: string; payee: string; total: string; units: string }[] = body.register.debtors
  expect(debtors.map(({ debtor }) => lower(debtor))).toEqual(
    debtors.map(({ debtor }) => lower(debtor)).sort(),
  )
  expect(debtors.every(({ debtor, payee, total, units }) => debtor === payee && total === units)).toBe(true)
  const seconds = Number(
    (await desk.chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])).timestamp,
  )
  expect(body.register.validUntil - Math.max(seconds, Date.now() / 1000)).toBeLessThanOrEqual(3_602)
  const week = await offer({ path: 'register', nonce: await desk.nonce(), validFor: 604_800 })
  expect(week.body.register.validUntil).toBeGreaterThan(body.register.validUntil + 600_000)
})

test('a deadline of more than a week, without the register, or another path is no offer', async () => {
  for (const [more, field] of [
    [{ path: 'register', validFor: 604_801 }, 'validFor'],
    [{ path: 'register', validFor: 59 }, 'validFor'],
    [{ validFor: 3_600 }, 'validFor'],
    [{ path: 'disperse' }, 'path'],
  ] as const)
    expect(await offer(more)).toMatchObject({ status: 422, body: { code: 'INVALID_VALUE', field } })
})

test('the summary names each wallet and what it owes, and the word that its key is lost', async () => {
  const summary = async () => (await desk.get('/refunds')).body.summary.wallets
  expect(
    (await summary()).map((one: { address: string }) => ({ ...one, address: lower(one.address) })),
  ).toEqual([
    {
      ...{ address: operator, role: 'sale', registerOnly: false, lostAt: null, unheardUntil: null },
      ...{ isContract: false, dueUnits: `${unitsOf(2_700)}` },
    },
  ])
  const lost = { wallet: operator, note: 'the hardware wallet was stolen on Sunday' }
  const { status, body } = await desk.post('/refunds/wallets/lost', lost)
  expect([status, typeof body.lostAt]).toEqual([200, 'string'])
  expect((await desk.post('/refunds/wallets/lost', lost)).body).toEqual(body)
  expect(await summary()).toMatchObject([{ lostAt: body.lostAt, dueUnits: `${unitsOf(2_700)}` }])
  const audited = await desk.db.execute(
    sql`select after ->> 'note' as note from audit where action = 'refund.wallet-lost'`,
  )
  expect(audited).toEqual([{ note: lost.note }, { note: lost.note }])
  expect(await offer({ nonce: await desk.nonce() })).toMatchObject({ body: { field: 'wallet' } })
})

test('the word that a key is lost is taken back with a fresh password, on record, and the wallet is offered again', async () => {
  const word = { wallet: operator, note: 'somebody else said so' }
  await desk.post('/refunds/wallets/lost', word)
  await desk.db.execute(sql`update sessions set fresh_at = now() - interval '1 hour'`)
  expect((await desk.post('/refunds/wallets/found', word)).body.code).toBe('REAUTH_REQUIRED')
  await desk.db.execute(sql`update sessions set fresh_at = now()`)
  expect(await desk.post('/refunds/wallets/found', word)).toMatchObject({
    ...{ status: 200, body: { lostAt: null } },
  })
  expect((await desk.get('/refunds')).body.summary.wallets).toMatchObject([{ lostAt: null }])
  const audited = await desk.db.execute(
    sql`select after ->> 'note' as note from audit where action = 'refund.wallet-found' and outcome = '200'`,
  )
  expect(audited).toEqual([{ note: word.note }])
  expect((await offer({ nonce: await desk.nonce() })).status).toBe(200)
})

test('only an administrator who has just entered a password calls a key lost, and only that of a wallet of ours', async () => {
  const other = `0x${'9d'.repeat(20)}` as Address
  expect((await desk.post('/refunds/wallets/lost', { wallet: other, note: 'x' })).body.code).toBe('NOT_FOUND')
  expect((await desk.get(`/refunds/waivable?wallet=${other}`)).body.code).toBe('NOT_FOUND')
  await desk.db.execute(sql`update sessions set fresh_at = now() - interval '1 hour'`)
  const stale = await desk.post('/refunds/wallets/lost', { wallet: operator, note: 'x' })
  expect(stale.body.code).toBe('REAUTH_REQUIRED')
})

test('another wallet pays what the first has waived, once the waiver is final, and the first pays nothing more', async () => {
  const [second] = desk.chain.buyers.slice(5) as [Address]
  await desk.chain.submit({ from: operator, to: usdt, data: transferData(second, unitsOf(100_000)) })
  await watchWallet(desk.db, second)
  await desk.settle()
  const late = (await offer({ path: 'register', nonce: await desk.nonce() })).body
  await desk.post('/refunds/rejected', {
    rows: late.rows.map(({ id, revision }: Claim) => ({ id, revision })),
  })

  const [{ token, debtors }] = (await desk.get(`/refunds/waivable?wallet=${operator}`)).body
  const data = waiveData(token, debtors.map(toDebt))
  await desk.chain.submit({ from: operator, to: register.address, data })
  await desk.chain.mine()
  expect((await offer({ path: 'register', wallet: second })).body).toMatchObject({ rows: [], register: null })
  await desk.settle()
  expect((await desk.get(`/refunds/waivable?wallet=${operator}`)).body).toEqual([])

  const { register: call } = (await offer({ path: 'register', wallet: second })).body
  expect(call.debtors.map(({ units }: { units: string }) => Number(BigInt(units) / unitsOf(1)))).toHaveLength(
    3,
  )
  const pay = payUpToData(call.token, call.debtors.map(toDebt), BigInt(call.validUntil))
  const approve = approveData(register.address, unitsOf(100_000))
  // What the first was offered before its waiver, signed all the same.
  const old = payUpToData(
    late.register.token,
    late.register.debtors.map(toDebt),
    BigInt(late.register.validUntil),
  )
  for (const from of [operator, second]) await desk.chain.submit({ from, to: usdt, data: approve })
  await desk.chain.submit({ from: second, to: register.address, data: pay })
  await desk.chain.submit({ from: operator, to: register.address, data: old })
  await desk.settle()
  const { rows } = (await desk.get('/refunds')).body
  expect(rows.map(({ state }: { state: string }) => state)).toEqual(['settled', 'settled', 'settled'])
  const sums = await Promise.all(
    [operator, second].map(
      async (from) =>
        (await transfersBetween(desk.chain.url, { from })).filter(({ to }) => to !== second).length,
    ),
  )
  expect(sums).toEqual([0, 3])
})

type Claim = { id: number; revision: number }
const toDebt = ({ debtor, payee, total }: { debtor: Address; payee?: Address; total: string }) => ({
  ...{ debtor, total: BigInt(total) },
  ...(payee && { payee }),
})

test('the calls of wallets need a session', async () => {
  const api = await openAdminApi()
  try {
    for (const [method, path] of [
      ['GET', '/api/admin/refunds/waivable?wallet=0x'],
      ['POST', '/api/admin/refunds/wallets/lost'],
      ['POST', '/api/admin/refunds/wallets/found'],
    ] as const)
      expect((await api.call(method, path)).status).toBe(401)
  } finally {
    await api.close()
  }
})
