import { sql } from 'drizzle-orm'
import { parseEther } from 'viem'
import { expect, test, vi } from 'vitest'
import { unitsOf } from '../../../core/money.ts'
import { freeNonces } from '../../../site/src/admin/refund/signing/wallet.ts'
import { operator } from '../../lab/chain.ts'
import { forEachTest } from '../../lab/opened.ts'
import { memoryJournal, openSigning, payers } from '../../lab/signing-page.ts'
import { usdt } from '../../lab/usdt.ts'

/** A page that is sure to get there does, also on a busy machine. */
const soon = { timeout: 60_000, interval: 20 }

const world = forEachTest(openSigning)

test('12 payers one by one, with a gas limit of 90,000 and the transfer of our own encoder', async () => {
  const own = world.wallet()
  const desk = world.page(own, { path: 'single' })
  await world.runTo(desk, { phase: 'done', sent: payers, signatures: payers })
  const sent = own.requests.filter(({ method }) => method === 'eth_sendTransaction')
  for (const { params } of sent)
    expect((params as object[])[0]).toMatchObject({ from: operator, to: usdt, gas: '0x15f90', value: '0x0' })
  await world.expectAllPaid()
})

test('12 payers in batches of ten by EIP-5792, two signatures', async () => {
  const own = world.wallet({ batch: { max: 10 } })
  const desk = world.page(own, { path: 'batch' })
  await world.runTo(desk, { phase: 'done', path: 'batch', sent: payers })
  expect(own.signatures()).toBe(2)
  await world.expectAllPaid()
})

test.each([
  ['single', undefined],
  ['batch', { max: 10 }],
] as const)(
  'R2 a lost answer and a reload in the middle (%s): everybody is paid once',
  async (path, batch) => {
    const own = world.wallet(batch ? { batch } : {})
    const deps = { path, sizes: { batch: 5 } }
    own.next('sign', 'lose')
    const first = world.page(own, deps)
    await world.runTo(first, { phase: 'stopped', problem: 'unknown' })
    const second = world.page(own, deps)
    await world.runTo(second, { phase: 'done' })
    await world.expectAllPaid()
  },
)

test('R4 a rejection stops, frees the rows at once, and the next start goes on with them', async () => {
  const own = world.wallet({ batch: { max: 10 } })
  own.next('reject')
  const desk = world.page(own)
  await world.runTo(desk, { phase: 'stopped', problem: 'rejected', sent: 0 })
  expect(await world.paidOut()).toEqual(new Map())
  await world.runTo(desk, { phase: 'done' })
  await world.expectAllPaid()
})

test('a wallet that refuses a batch because it cannot has sent nothing: the rows go one by one', async () => {
  const own = world.wallet({ batch: { max: 10 } })
  own.next({ code: 5710 })
  const desk = world.page(own, { path: 'batch' })
  await world.runTo(desk, { phase: 'done', path: 'single' })
  await world.expectAllPaid()
})

test('a batch that is too large is made smaller; a wallet that cannot tell its end is no reason to pay twice', async () => {
  const own = world.wallet({ batch: { max: 3, knowsStatus: false } })
  const desk = world.page(own, { path: 'batch' })
  await world.runTo(desk, { phase: 'done', path: 'batch' })
  expect(own.signatures()).toBe(4)
  await world.expectAllPaid()
})

test('R2 an unknown error of a batch may mean that it was sent: nothing is asked for again', async () => {
  const own = world.wallet({ batch: { max: 12 } })
  own.next({ code: -32000 })
  const desk = world.page(own, { path: 'batch', sizes: { batch: 12 } })
  await world.runTo(desk, { phase: 'stopped', problem: 'unknown' })
  const again = world.page(own, { path: 'batch', sizes: { batch: 12 }, maxIdlePolls: 1 })
  await world.runTo(again, { phase: 'stopped', problem: 'under-way' })
  expect(own.signatures()).toBe(1)
  await world.abandon()
  const bound = (await world.get('/refunds')).body.rows[0].nonceBound
  expect(await freeNonces(own.provider, operator, bound)).toBe(payers)
  await world.settle()
  // It might still be approved, with a nonce that nobody knows: a day later somebody says that it is not.
  const waiting = world.page(own, { path: 'batch', sizes: { batch: 12 }, maxIdlePolls: 1 })
  await world.runTo(waiting, { phase: 'stopped', problem: 'under-way' })
  await world.db.execute(sql`update refund_rows set offered_at = offered_at - interval '25 hours'`)
  for (const { id } of (await world.get('/refunds')).body.rows)
    expect((await world.post(`/refunds/${id}/lost`)).status).toBe(200)
  await world.settle()
  const last = world.page(own, { path: 'batch', sizes: { batch: 12 } })
  await world.runTo(last, { phase: 'done' })
  await world.expectAllPaid()
})

test('R4 the wrong account, the wrong chain and too little money stop before anything is asked', async () => {
  const other = world.wallet()
  other.switchAccount(world.chain.buyers[0])
  const far = world.wallet({ chainId: 1 })
  const poor = world.wallet()
  const stopped = async (own: ReturnType<typeof world.wallet>) => {
    const desk = world.page(own)
    await desk.run()
    expect(own.signatures()).toBe(0)
    return desk.state().obstacles.map(({ kind }) => kind)
  }
  expect(await stopped(other)).toEqual(['account'])
  expect(await stopped(far)).toEqual(['chain'])
  await world.chain.rpc('anvil_setBalance', [operator, '0x1'])
  await world.transfer(world.chain.buyers[7] ?? operator, unitsOf(1)).catch(() => undefined)
  expect(await stopped(poor)).toEqual(['bnb'])
  await world.chain.rpc('anvil_setBalance', [operator, `0x${parseEther('100').toString(16)}`])
})

test('R2 a wallet that never answers is left: what the chain has shown paid is done, the rest waits, nothing goes twice', async () => {
  const own = world.wallet()
  const desk = world.page(own, { path: 'single' })
  // It sends, and says nothing.
  const silent = { ...own.provider }
  let swallowed = 0
  silent.request = async (request) => {
    const answer = await own.provider.request(request)
    if (request.method === 'eth_sendTransaction' && swallowed++ === 0) return new Promise(() => undefined)
    return answer
  }
  const quiet = world.page(own, { provider: silent, path: 'single' })
  const running = quiet.run()
  await vi.waitFor(() => expect(swallowed).toBe(1), soon)
  await world.settle()
  quiet.leave('settled')
  await running
  expect(quiet.state()).toMatchObject({ phase: 'done', sent: payers - 1 })
  expect(own.signatures()).toBe(payers)
  await desk.run()
  expect(own.signatures()).toBe(payers)
  await world.expectAllPaid()
})

test('R2 a batch that a wallet took is followed by whoever opens the desk with that wallet next', async () => {
  const own = world.wallet({ batch: { max: 12 } })
  // Nothing is mined, so that the chain does not tell before the wallet does.
  own.afterSending(async () => undefined)
  const api = { ...world.api, open: async () => (await world.execute()).body.refundTransactions }
  const deps = { api, path: 'batch' as const, sizes: { batch: 12 }, maxIdlePolls: 1 }
  const mute = {
    request: async (request: { method: string; params?: unknown }) => {
      if (request.method === 'wallet_getCallsStatus') throw { code: 4900, message: 'Not now.' }
      return own.provider.request(request)
    },
  }
  await world.runTo(world.page(own, { ...deps, provider: mute }), { phase: 'stopped', problem: 'under-way' })
  const rows = async () =>
    (await world.get('/refunds')).body.rows as { state: string; transactionHash: string }[]
  expect(new Set((await rows()).map(({ state }) => state))).toEqual(new Set(['offered']))
  await world.runTo(world.page(own, deps), { phase: 'stopped', problem: 'under-way' })
  expect(new Set((await rows()).map(({ state }) => state))).toEqual(new Set(['sent']))
  expect(new Set((await rows()).map(({ transactionHash }) => transactionHash))).toEqual(
    new Set([expect.stringMatching(/^0x/)]),
  )
  expect(own.signatures()).toBe(1)
  await world.expectAllPaid()
})

test('R4 a rejection that the server was not told of is told after a reload, and frees the row then', async () => {
  const own = world.wallet()
  own.next('reject')
  const journal = memoryJournal()
  const api = world.api
  const cut = { ...api, rejected: () => Promise.reject(new TypeError('the network is gone')) }
  const first = world.page(own, { journal, api: cut, path: 'single' })
  await world.runTo(first, { phase: 'stopped', problem: 'rejected' })
  expect(journal.entries).toMatchObject([{ rejected: [{ id: 1 }] }])
  const second = world.page(own, { journal, path: 'single' })
  await world.runTo(second, { phase: 'done' })
  expect(journal.entries).toEqual([])
  await world.expectAllPaid()
})

test('R4 BNB that runs out on the way stops before the next request, and with more of it the rest goes on', async () => {
  const own = world.wallet()
  const desk = world.page(own, { path: 'single' })
  own.afterSending(async () => {
    await world.chain.mine()
    if (own.signatures() === 4) await world.chain.rpc('anvil_setBalance', [operator, '0x1'])
  })
  await world.runTo(desk, { phase: 'stopped', sent: 4, obstacles: [{ kind: 'bnb', held: 1n }] })
  await world.chain.rpc('anvil_setBalance', [operator, `0x${parseEther('1').toString(16)}`])
  await world.runTo(desk, { phase: 'done', obstacles: [] })
  await world.expectAllPaid()
})

test('a call that fails stops with its error, and nothing was asked of the wallet', async () => {
  const own = world.wallet()
  const error = new TypeError('the network is gone')
  const desk = world.page(own, { api: { ...world.api, offer: () => Promise.reject(error) } })
  await world.runTo(desk, { phase: 'stopped', problem: 'failed', error })
  expect(own.signatures()).toBe(0)
})

test('a pause lets the request in hand end, and the next start goes on', async () => {
  const own = world.wallet()
  const desk = world.page(own, { path: 'single' })
  own.afterSending(async () => {
    await world.chain.mine()
    if (own.signatures() === 3) desk.pause()
  })
  await world.runTo(desk, { phase: 'paused', sent: 3 })
  await world.runTo(desk, { phase: 'done' })
  await world.expectAllPaid()
})

test.each(['register', 'single'] as const)(
  'R1 two pages at once on one wallet (%s) pay everybody once',
  async (path) => {
    const own = world.wallet()
    const desks = [world.page(own, { path }), world.page(own, { path })]
    for (let round = 0; round < 4; round++) await Promise.all(desks.map((desk) => desk.run()))
    await world.expectAllPaid()
  },
)
