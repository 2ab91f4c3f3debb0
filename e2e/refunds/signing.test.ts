import { type Address, getAddress, type Hex, parseEther } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import disperse from '../../infra/contracts/disperse.json' with { type: 'json' }
import { createDesk, type DeskDeps, type DeskState } from '../../site/src/admin/refund/signing/desk.ts'
import type { Journal, JournalEntry } from '../../site/src/admin/refund/signing/journal.ts'
import type { RefundApi, Terms } from '../../site/src/admin/refund/signing/types.ts'
import { freeNonces, readAllowance } from '../../site/src/admin/refund/signing/wallet.ts'
import { operator } from '../lab/chain.ts'
import { type Desk, openDesk } from '../lab/refund-desk.ts'
import { scriptedWallet } from '../lab/refund-wallet.ts'
import { usdt } from '../lab/usdt.ts'

const payers = 12
let world: Desk
let owed: Map<Address, bigint>

beforeEach(async () => {
  world = await openDesk()
  owed = new Map()
  const [rich] = world.chain.buyers
  for (let index = 0; index < payers; index++) {
    const payer: Address = `0x${(index + 0xabc0).toString(16).padStart(40, '1')}`
    owed.set(payer, unitsOf(300 * (index + 1)))
    await world.chain.submitPayment({ from: rich, to: payer, cents: 300 * (index + 1) })
    await world.chain.rpc('anvil_setBalance', [payer, '0xde0b6b3a7640000'])
    await world.chain.rpc('anvil_impersonateAccount', [payer])
  }
  await world.chain.mine()
  let cents = 0
  for (const payer of owed.keys()) {
    cents += 300
    await world.chain.submitPayment({ from: payer, cents })
  }
  await world.refundMode()
})
afterEach(() => world?.close())

/** The calls of the dashboard; the workers look at the chain each time it asks. */
function apiOf(): RefundApi {
  const checked = async (calling: ReturnType<Desk['post']>) => {
    const { status, body } = await calling
    if (status !== 200) throw Object.assign(new Error(body.message), { code: body.code })
    return body
  }
  return {
    open: async () => {
      await world.settle()
      return (await checked(world.execute())).refundTransactions
    },
    offer: async (request) => (await checked(world.post('/refunds/offer', request))).rows,
    keep: async (request) => void (await checked(world.post('/refunds/keep', request))),
    sent: async (ids, transactionHash) =>
      void (await checked(world.post('/refunds/sent', { ids, transactionHash }))),
    rejected: async (rows) => void (await checked(world.post('/refunds/rejected', { rows }))),
  }
}
function memoryJournal(): Journal & { entries: JournalEntry[] } {
  const journal = {
    entries: [] as JournalEntry[],
    read: () => journal.entries,
    write: (entries: JournalEntry[]) => {
      journal.entries = entries
    },
  }
  return journal
}
const terms = (disperseAddress: Address | null = null): Terms => ({
  ...{ chainId: 56, token: usdt, wallet: operator, disperseAddress },
})
function page(wallet: ReturnType<typeof scriptedWallet>, more: Partial<DeskDeps> = {}) {
  const states: DeskState[] = []
  const desk = createDesk({
    ...{ provider: wallet.provider, api: apiOf(), terms: terms(), journal: memoryJournal() },
    ...{ onChange: (state: DeskState) => void states.push(state), pollMs: 5, keepMs: 60_000, patience: 40 },
    ...more,
  })
  return { ...desk, states }
}
const wallet = (more: Partial<Parameters<typeof scriptedWallet>[0]> = {}) =>
  scriptedWallet({ url: world.chain.url, account: getAddress(operator), ...more })
const deployDisperse = (): Promise<Address> =>
  world.chain.deployCode(world.chain.buyers[8] ?? operator, disperse.bytecode as Hex)
/** Everybody has exactly what they paid, counted from the logs. */
async function expectAllPaid(): Promise<void> {
  await world.settle()
  expect(await world.paidOut()).toEqual(owed)
  const { body } = await world.execute()
  expect(body.refundTransactions).toEqual([])
  expect(body.summary.totalRefunds).toBe(payers)
}

test('12 payers one by one, with a gas limit of 90,000 and the transfer of our own encoder', async () => {
  const own = wallet()
  const desk = page(own)
  await desk.run()
  expect(desk.state()).toMatchObject({ phase: 'done', sent: payers, signatures: payers })
  const sent = own.requests.filter(({ method }) => method === 'eth_sendTransaction')
  for (const { params } of sent)
    expect((params as object[])[0]).toMatchObject({ from: operator, to: usdt, gas: '0x15f90', value: '0x0' })
  await expectAllPaid()
})

test('12 payers in batches of ten by EIP-5792, two signatures', async () => {
  const own = wallet({ batch: { max: 10 } })
  const desk = page(own)
  await desk.run()
  expect(desk.state()).toMatchObject({ phase: 'done', path: 'batch', sent: payers })
  expect(own.signatures()).toBe(2)
  await expectAllPaid()
})

test('12 payers by the disperse contract: exact allowance, two signatures, nothing left', async () => {
  const contract = await deployDisperse()
  const own = wallet()
  const desk = page(own, { terms: terms(contract) })
  await desk.run()
  expect(desk.state()).toMatchObject({ phase: 'done', path: 'disperse', sent: payers })
  expect(own.signatures()).toBe(2)
  expect(await readAllowance(own.provider, usdt, operator, contract)).toBe(0n)
  await expectAllPaid()
})

test.each([
  ['single', undefined],
  ['batch', { max: 10 }],
  ['disperse', undefined],
] as const)(
  'R2 a lost answer and a reload in the middle (%s): everybody is paid once',
  async (path, batch) => {
    const contract = path === 'disperse' ? await deployDisperse() : null
    const own = wallet(batch ? { batch } : {})
    const deps = { terms: terms(contract), sizes: { batch: 5, disperse: 5 } }
    own.next(...(path === 'disperse' ? (['sign', 'lose'] as const) : (['sign', 'lose'] as const)))
    const first = page(own, deps)
    await first.run()
    expect(first.state()).toMatchObject({ phase: 'stopped', problem: 'unknown' })
    const second = page(own, deps)
    await second.run()
    expect(second.state()).toMatchObject({ phase: 'done' })
    await expectAllPaid()
  },
)

test('R4 a rejection stops, frees the rows at once, and the next start goes on with them', async () => {
  const own = wallet({ batch: { max: 10 } })
  own.next('reject')
  const desk = page(own)
  await desk.run()
  expect(desk.state()).toMatchObject({ phase: 'stopped', problem: 'rejected', sent: 0 })
  expect(await world.paidOut()).toEqual(new Map())
  await desk.run()
  expect(desk.state()).toMatchObject({ phase: 'done' })
  await expectAllPaid()
})

test.each([-32601, -32602, 4200, 5700, 5710, 5750, 5760])(
  'a wallet that refuses a batch with %i sent nothing: the rows go one by one',
  async (code) => {
    const own = wallet({ batch: { max: 10 } })
    own.next({ code })
    const desk = page(own)
    await desk.run()
    expect(desk.state()).toMatchObject({ phase: 'done', path: 'single' })
    await expectAllPaid()
  },
)

test('a batch that is too large is made smaller; a wallet that cannot tell its end is no reason to pay twice', async () => {
  const own = wallet({ batch: { max: 3, knowsStatus: false } })
  const desk = page(own)
  await desk.run()
  expect(desk.state()).toMatchObject({ phase: 'done', path: 'batch' })
  expect(own.signatures()).toBe(4)
  await expectAllPaid()
})

test('R2 an unknown error of a batch may mean that it was sent: nothing is asked for again', async () => {
  const own = wallet({ batch: { max: 12 } })
  own.next({ code: -32000 })
  const desk = page(own, { sizes: { batch: 12, disperse: 12 } })
  await desk.run()
  expect(desk.state()).toMatchObject({ phase: 'stopped', problem: 'unknown' })
  const again = page(own, { sizes: { batch: 12, disperse: 12 } })
  await again.run()
  expect(again.state()).toMatchObject({ phase: 'stopped', problem: 'under-way' })
  expect(own.signatures()).toBe(1)
  await world.abandon()
  const bound = (await world.get('/refunds')).body.rows[0].nonceBound
  expect(await freeNonces(own.provider, operator, bound)).toBe(payers)
  await world.settle()
  const last = page(own, { sizes: { batch: 12, disperse: 12 } })
  await last.run()
  expect(last.state()).toMatchObject({ phase: 'done' })
  await expectAllPaid()
})

test('R4 the wrong account, the wrong chain and too little money stop before anything is asked', async () => {
  const other = wallet()
  other.switchAccount(world.chain.buyers[0])
  const far = wallet({ chainId: 1 })
  const poor = wallet()
  const stopped = async (own: ReturnType<typeof wallet>) => {
    const desk = page(own)
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
  const own = wallet()
  const desk = page(own)
  // It sends, and says nothing.
  const silent = { ...own.provider }
  let swallowed = 0
  silent.request = async (request) => {
    const answer = await own.provider.request(request)
    if (request.method === 'eth_sendTransaction' && swallowed++ === 0) return new Promise(() => undefined)
    return answer
  }
  const quiet = page(own, { provider: silent })
  const running = quiet.run()
  await vi.waitFor(() => expect(swallowed).toBe(1))
  await world.settle()
  quiet.leave('settled')
  await running
  expect(quiet.state()).toMatchObject({ phase: 'done', sent: payers - 1 })
  expect(own.signatures()).toBe(payers)
  await desk.run()
  expect(own.signatures()).toBe(payers)
  await expectAllPaid()
})

test('R4 a rejection that the server was not told of is told after a reload, and frees the row then', async () => {
  const own = wallet()
  own.next('reject')
  const journal = memoryJournal()
  const api = apiOf()
  const cut = { ...api, rejected: () => Promise.reject(new TypeError('the network is gone')) }
  const first = page(own, { journal, api: cut })
  await first.run()
  expect(first.state()).toMatchObject({ phase: 'stopped', problem: 'rejected' })
  expect(journal.entries).toMatchObject([{ rejected: [{ id: 1 }] }])
  const second = page(own, { journal })
  await second.run()
  expect(second.state()).toMatchObject({ phase: 'done' })
  expect(journal.entries).toEqual([])
  await expectAllPaid()
})

test('R4 BNB that runs out on the way stops before the next request, and with more of it the rest goes on', async () => {
  const own = wallet()
  const desk = page(own)
  own.afterSending(async () => {
    await world.chain.mine()
    if (own.signatures() === 4) await world.chain.rpc('anvil_setBalance', [operator, '0x1'])
  })
  await desk.run()
  expect(desk.state()).toMatchObject({ phase: 'stopped', sent: 4, obstacles: [{ kind: 'bnb', held: 1n }] })
  await world.chain.rpc('anvil_setBalance', [operator, `0x${parseEther('1').toString(16)}`])
  await desk.run()
  expect(desk.state()).toMatchObject({ phase: 'done', obstacles: [] })
  await expectAllPaid()
})

test('a call that fails stops with its error, and nothing was asked of the wallet', async () => {
  const own = wallet()
  const error = new TypeError('the network is gone')
  const desk = page(own, { api: { ...apiOf(), offer: () => Promise.reject(error) } })
  await desk.run()
  expect(desk.state()).toMatchObject({ phase: 'stopped', problem: 'failed', error })
  expect(own.signatures()).toBe(0)
})

test('a pause lets the request in hand end, and the next start goes on', async () => {
  const own = wallet()
  const desk = page(own)
  own.afterSending(async () => {
    await world.chain.mine()
    if (own.signatures() === 3) desk.pause()
  })
  await desk.run()
  expect(desk.state()).toMatchObject({ phase: 'paused', sent: 3 })
  await desk.run()
  expect(desk.state()).toMatchObject({ phase: 'done' })
  await expectAllPaid()
})

test('R1 two pages at once on one wallet pay everybody once', async () => {
  const own = wallet()
  const desks = [page(own), page(own)]
  await Promise.all(desks.map((desk) => desk.run()))
  for (let round = 0; round < 3; round++) await Promise.all(desks.map((desk) => desk.run()))
  await expectAllPaid()
})
