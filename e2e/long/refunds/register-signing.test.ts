import type { Address, Hex } from 'viem'
import { expect, test, vi } from 'vitest'
import { register } from '../../../core/chain/register.ts'
import { unitsOf } from '../../../core/money.ts'
import type { RegisterOffer } from '../../../core/refund/safe-file.ts'
import type { RefundApi } from '../../../site/src/admin/refund/signing/types.ts'
import { approve } from '../../../site/src/admin/refund/signing/wallet.ts'
import { operator } from '../../lab/chain.ts'
import { forEachTest } from '../../lab/opened.ts'
import { memoryJournal, openSigning, payers } from '../../lab/signing-page.ts'
import { usdt } from '../../lab/usdt.ts'

/** A page that is sure to get there does, also on a busy machine. */
const soon = { timeout: 60_000, interval: 20 }

const world = forEachTest(openSigning)

test('12 payers through the register: exact allowance, two signatures, nothing left', async () => {
  const own = world.wallet()
  const desk = world.page(own)
  await world.runTo(desk, { phase: 'done', path: 'register', sent: payers })
  expect(own.signatures()).toBe(2)
  expect(await world.allowance()).toBe(0n)
  await world.expectAllPaid()
})

test('a wallet that batches pays through the register with one signature for each call', async () => {
  const own = world.wallet({ batch: { max: 10 } })
  const desk = world.page(own, { sizes: { register: 7 } })
  await world.runTo(desk, { phase: 'done', path: 'register', sent: payers })
  expect(own.signatures()).toBe(2)
  expect(await world.allowance()).toBe(0n)
  await world.expectAllPaid()
})

test('several calls of the register share one allowance', async () => {
  const own = world.wallet()
  const desk = world.page(own, { sizes: { register: 5 } })
  await world.runTo(desk, { phase: 'done', path: 'register', sent: payers })
  expect(own.signatures()).toBe(4)
  expect(await world.allowance()).toBe(0n)
  await world.expectAllPaid()
})

test('R2 a popup of the register that is approved after its rows were paid again pays nobody twice', async () => {
  const own = world.wallet({ picksNonces: true })
  const late = Promise.withResolvers<void>()
  own.next('sign', { until: late.promise })
  const journal = memoryJournal()
  const desk = world.page(own, { journal })
  const running = desk.run()
  await vi.waitFor(() => expect(own.signatures()).toBe(2), soon)
  desk.leave('unknown')
  await running
  expect(desk.state()).toMatchObject({ phase: 'stopped', problem: 'unknown' })
  const ids = (await world.get('/refunds')).body.rows.map(({ id }: { id: number }) => id)
  const again = world.page(own)
  await again.run(ids)
  expect(again.state()).toMatchObject({ phase: 'done', path: 'register' })
  await world.expectAllPaid()
  late.resolve()
  // Its answer is still reported.
  await vi.waitFor(() => expect(desk.state()).toMatchObject({ sent: payers, problem: undefined }), soon)
  await world.expectAllPaid()
  expect(journal.entries).toEqual([])
})

test('a page that is left while the allowance is asked for asks for nothing more, and frees its rows', async () => {
  const own = world.wallet()
  const late = Promise.withResolvers<void>()
  own.next({ until: late.promise })
  const desk = world.page(own)
  const running = desk.run()
  await vi.waitFor(() => expect(own.signatures()).toBe(1), soon)
  desk.leave('unknown')
  await running
  late.resolve()
  await vi.waitFor(async () => expect((await world.row(1))?.state).toBe('planned'), soon)
  expect(own.signatures()).toBe(1)
  await world.runTo(world.page(own), { phase: 'done', signatures: 1 })
  await world.expectAllPaid()
})

test('a register that is gone in the middle of a run stops it; rows go as transfers only where nobody chose it', async () => {
  const code = await world.chain.rpc<Hex>('eth_getCode', [register.address, 'latest'])
  const own = world.wallet()
  const desk = world.page(own, { path: 'register', sizes: { register: 5 } })
  own.afterSending(async () => {
    await world.chain.mine()
    if (own.signatures() === 2) await world.chain.rpc('anvil_setCode', [register.address, `${code}00`])
  })
  await world.runTo(desk, { phase: 'stopped', problem: 'no-register', sent: 5 })
  own.requests.length = 0
  await world.runTo(world.page(own), { phase: 'done', path: 'single' })
  expect(own.requests.filter(({ params }) => JSON.stringify(params).includes('payUpTo'))).toEqual([])
  await world.expectAllPaid()
})

test('an allowance that the register was left with is set to 0 before rows go as transfers', async () => {
  const own = world.wallet()
  await approve(own.provider, {
    ...{ wallet: operator, token: usdt, spender: register.address, units: unitsOf(500) },
    nonce: await world.nonce(),
  })
  await world.runTo(world.page(own, { path: 'single' }), { phase: 'done', path: 'single' })
  expect([await world.allowance(), own.signatures()]).toEqual([0n, payers + 2])
  await world.expectAllPaid()
})

test('an offer that names another contract, token or amount is not signed', async () => {
  const stranger = world.chain.buyers[3] as Address
  const lies = (offer: RegisterOffer): RegisterOffer[] => [
    { ...offer, address: stranger },
    { ...offer, token: stranger },
    { ...offer, debtors: offer.debtors.map((debt) => ({ ...debt, payee: stranger })) },
    { ...offer, debtors: offer.debtors.map((debt) => ({ ...debt, units: `${BigInt(debt.units) + 1n}` })) },
  ]
  const api = world.api
  for (const at of [0, 1, 2, 3]) {
    const own = world.wallet()
    const offer: RefundApi['offer'] = async (request) => {
      const answer = await api.offer(request)
      return { ...answer, register: answer.register && (lies(answer.register)[at] ?? null) }
    }
    await world.runTo(world.page(own, { api: { ...api, offer } }), { phase: 'stopped', problem: 'failed' })
    expect(own.signatures()).toBe(0)
  }
})

test.each(['register', 'single'] as const)(
  'an offer (%s) that goes elsewhere than the list is not signed, though its rows and its call agree',
  async (path) => {
    const own = world.wallet()
    const payee = world.chain.buyers[3] as Address
    const { api } = world
    const offer: RefundApi['offer'] = async (request) => {
      const { rows, register } = await api.offer(request)
      const debtors = register?.debtors.map((debt) => ({ ...debt, payee })) ?? []
      return {
        rows: rows.map((row) => ({ ...row, to: payee })),
        register: register && { ...register, debtors },
      }
    }
    const page = world.page(own, { path, api: { ...api, offer } })
    await world.runTo(page, { phase: 'stopped', problem: 'failed' })
    expect(own.signatures()).toBe(0)
  },
)

test('R2 a lost answer and a reload in the middle (register): everybody is paid once', async () => {
  const own = world.wallet()
  own.next('sign', 'sign', 'lose')
  await world.runTo(world.page(own, { sizes: { register: 5 } }), {
    phase: 'stopped',
    problem: 'unknown',
    sent: 5,
  })
  await world.runTo(world.page(own, { sizes: { register: 5 } }), { phase: 'done' })
  await world.expectAllPaid()
})
