import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { eachTestWithStorage } from '../../../e2e/lab/browser-storage.ts'
import { tell } from '../../../e2e/lab/islands.ts'
import { fromNow } from '../../../e2e/lab/test-time.ts'
import { hashOf, wallet } from '../../../e2e/lab/told.ts'
import { purchasesKey } from '../shell/storage.ts'
import { $toast } from '../shell/toast.ts'
import { t } from '../texts/index.ts'
import type { Eip1193 } from '../wallet/eip1193.ts'
import { pinnedToken } from '../wallet/pinned.ts'
import { $wallet, connectFound, connectMetaMask, disconnect } from '../wallet/wallet.ts'
import { $isBuying, $isHanding, $purchases, buyTickets, stopWaiting } from './purchase.ts'

type Answers = {
  accounts?: string[]
  sends?: (params: unknown) => unknown
  switches?: () => unknown
  status?: number
  /** What the server knows of hash 1. */
  report?: object
  /** Payments of the wallet, as the server has them. */
  payments?: () => object[]
}
let posted: unknown[] = []
const credited = { status: 'credited', reason: null, ticketNumber: 1, ticketCount: 33, walletAddress: wallet }

/** A wallet and a server that answer so; tells all toasts in their order. */
function world(answers: Answers = {}) {
  const { accounts = [wallet], sends = () => hashOf(1), switches = () => null, status = 202 } = answers
  const { report = { status: 'credited', payments: [credited] }, payments = () => [] } = answers
  const toasts: string[] = []
  const stop = $toast.listen((toast) => toast && toasts.push(`${toast.title}: ${toast.text}`))
  onTestFinished(stop)
  const request: Eip1193['request'] = async ({ method, params }) => {
    if (method === 'eth_requestAccounts') return accounts
    if (method === 'eth_chainId') return '0x38'
    if (method === 'eth_sendTransaction') return sends(params)
    return switches()
  }
  vi.stubGlobal('fetch', async (place: Request | string, options?: RequestInit) => {
    const path = `${place instanceof Request ? place.url : place}`
    if ((options?.method ?? 'GET') !== 'GET') posted.push(JSON.parse(`${options?.body}`))
    if (path.includes('/tickets/wallet/'))
      return Response.json({ walletAddress: wallet, payments: payments() })
    const hash = path.split('/').at(-1)
    if (path.includes('/purchase/'))
      return Response.json({
        ...{ transactionHash: hash, reason: null },
        ...(hash === hashOf(1) ? report : { status: 'credited', payments: [credited] }),
      })
    return Response.json({ code: 'RATE_LIMITED', message: 'No such payment.' }, { status })
  })
  const connect = () => connectFound({ request }, 'MetaMask', 'io.metamask')
  return { toasts, connect }
}
const paidNow = (change: object = {}) => ({
  ...{ transactionHash: hashOf(2), amount: 300, createdAt: fromNow(0).toISOString(), ...change },
})
const kept = () => localStorage.getItem(purchasesKey)

eachTestWithStorage()
beforeEach(() => {
  tell()
  posted = []
  vi.stubGlobal('window', {})
  vi.useFakeTimers()
})
afterEach(() => {
  disconnect()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a wallet is connected to the BSC network and disconnected again', async () => {
  const { toasts, connect } = world()
  await connect()
  disconnect()
  expect(toasts).toEqual([
    'Wallet Connected: MetaMask is connected to the BSC network.',
    'Wallet Disconnected: Your wallet has been disconnected.',
  ])
})

test('without an extension, and without an account, the connection fails', async () => {
  const { toasts, connect } = world({ accounts: [] })
  await connectMetaMask()
  await connect()
  expect(toasts).toEqual([
    'Connection Failed: MetaMask is not installed. Install it, then try again.\nMetaMask가 설치되어 있지 않습니다. 지갑을 설치한 뒤 다시 시도하세요.',
    'Connection Failed: No account was found. Choose one in your wallet, then try again.\n연결된 계정을 찾을 수 없습니다. 지갑에서 계정을 선택한 뒤 다시 시도하세요.',
  ])
})

test('a purchase needs a connected wallet and an operator wallet', async () => {
  const { toasts, connect } = world()
  await buyTickets(1)
  await connect()
  tell({ config: { operatorWallet: null } })
  await connect()
  await buyTickets(1)
  expect(toasts.filter((toast) => !toast.startsWith('Wallet Connected'))).toEqual([
    'Wallet Connection Required: Please connect your wallet first.',
    'Operator Wallet Setup Required: Operator wallet address is not configured.',
  ])
  expect([posted, $isBuying.get()]).toEqual([[], false])
})

test('a purchase: approved in the wallet, handed to the server, and credited', async () => {
  const { toasts, connect } = world()
  await connect()
  await buyTickets(33)
  expect(toasts.at(-1)).toBe('Transaction in Progress: Please approve the transaction in MetaMask.')
  expect(posted).toMatchObject([
    { walletAddress: wallet, transactionHash: hashOf(1), quantity: 33, amount: 9_900 },
  ])
  expect([$isBuying.get(), $isHanding.get()]).toEqual([false, false])
  await vi.advanceTimersByTimeAsync(300)
  expect(toasts.at(-1)).toBe('Ticket Purchase Complete!: Transaction has been processed successfully.')
  expect($purchases.get()).toMatchObject([{ status: 'credited', ticketNumber: 1, ticketCount: 33 }])
})

test('a wallet that refuses, fails, or says nothing', async () => {
  const refusals = [{ code: 4001 }, new Error('insufficient funds for gas'), { code: -32602 }]
  const { toasts, connect } = world({ sends: () => Promise.reject(refusals.shift()) })
  await connect()
  for (const _ of [1, 2, 3]) await buyTickets(1)
  expect(toasts.filter((toast) => toast.startsWith('Transaction Failed'))).toEqual([
    'Transaction Failed: You rejected the request in MetaMask.',
    'Transaction Failed: insufficient funds for gas',
    'Transaction Failed: An error occurred while processing the transaction.',
  ])
  expect([posted, $isBuying.get()]).toEqual([[], false])
})

test('a server that refuses is quoted', async () => {
  const { toasts, connect } = world({ status: 400 })
  await connect()
  await buyTickets(1)
  expect(toasts.at(-1)).toBe('Purchase Failed: No such payment.')
})

test('the wallet is asked for one exact transfer, on the chain that it went back to', async () => {
  const asked: unknown[] = []
  const { connect } = world({ sends: (params) => asked.push(params) && hashOf(1) })
  await connect()
  $wallet.set({ ...$wallet.get(), isOnBsc: false })
  await buyTickets(33)
  const word = (hex: string) => hex.toLowerCase().padStart(64, '0')
  expect(asked).toEqual([
    [
      {
        ...{ from: wallet, to: pinnedToken()?.toLowerCase(), value: '0x0', gas: '0x15f90', chainId: '0x38' },
        data: `0xa9059cbb${word(wallet.slice(2))}${word((99n * 10n ** 18n).toString(16))}`,
      },
    ],
  ])
  expect($wallet.get().isOnBsc).toBe(true)
})

test('nothing is asked for with another token, or when the wallet does not go back to the chain', async () => {
  const asked: unknown[] = []
  const refusals = [undefined, { code: 4001 }]
  const { toasts, connect } = world({
    sends: (params) => asked.push(params),
    switches: () => {
      const refusal = refusals.shift()
      if (refusal) throw refusal
      return null
    },
  })
  await connect()
  await buyTickets(1)
  expect(toasts.at(-1)).toBe('Transaction Failed: You rejected the request in MetaMask.')
  tell({ config: { tokenAddress: `0x${'66'.repeat(20)}` } })
  await connect()
  await buyTickets(1)
  expect([toasts.at(-1), asked]).toEqual([`Purchase Failed: ${t.buy.swapped}`, []])
})

test('an answer that tells nothing is no failure: the payment is found by wallet, sum and time, and kept until then', async () => {
  let payments: object[] = [
    paidNow({ transactionHash: hashOf(7), amount: 600 }),
    paidNow({ transactionHash: hashOf(8), createdAt: fromNow(-60).toISOString() }),
  ]
  const { toasts, connect } = world({ sends: () => ({ id: 'x' }), payments: () => payments })
  await connect()
  await buyTickets(1)
  expect(toasts.at(-1)).toBe(`${t.buyToasts.unclearTitle}: ${t.buyToasts.unclearText}`)
  expect(toasts.join()).not.toContain('Failed')
  expect([$isBuying.get(), posted, kept()]).toEqual([
    false,
    [],
    expect.stringContaining('"transactionHash":null'),
  ])
  await vi.advanceTimersByTimeAsync(20_000)
  expect($purchases.get()).toMatchObject([{ hash: null, status: 'sent' }])
  payments = [paidNow(), ...payments]
  await vi.advanceTimersByTimeAsync(6_000)
  expect($purchases.get()).toMatchObject([{ hash: hashOf(2), isMoved: false, status: 'credited' }])
  expect([toasts.at(-1)?.slice(0, 25), kept()]).toEqual(['Ticket Purchase Complete!', null])
  expect(posted).toMatchObject([{ transactionHash: hashOf(2), quantity: 1 }])
})

test('a payment that the wallet sent under another hash is found, though nobody knows the first', async () => {
  const payments: object[] = []
  const report = { status: 'received', payments: [] }
  const { toasts, connect } = world({ report, payments: () => payments })
  await connect()
  await buyTickets(1)
  await vi.advanceTimersByTimeAsync(12_000)
  expect($purchases.get()).toMatchObject([{ hash: hashOf(1), status: 'received' }])
  payments.push(paidNow())
  await vi.advanceTimersByTimeAsync(8_000)
  expect($purchases.get()).toMatchObject([{ hash: hashOf(2), isMoved: true, status: 'credited' }])
  expect([toasts.at(-1)?.slice(0, 25), kept()]).toEqual(['Ticket Purchase Complete!', null])
})

test('the buyer stops waiting: what the wallet answers later is taken, a hash or that nothing was sent', async () => {
  const answers: PromiseWithResolvers<unknown>[] = []
  const { connect } = world({
    sends: () => {
      const answer = Promise.withResolvers<unknown>()
      answers.push(answer)
      return answer.promise
    },
  })
  await connect()
  for (const settle of ['resolve', 'reject'] as const) {
    const bought = buyTickets(1)
    await vi.advanceTimersByTimeAsync(10)
    stopWaiting()
    await bought
    expect([$isBuying.get(), $purchases.get()[0]?.hash]).toEqual([false, null])
    if (settle === 'resolve') answers[0]?.resolve(hashOf(1))
    else answers[1]?.reject({ code: 4001 })
    await vi.advanceTimersByTimeAsync(6_000)
  }
  expect($purchases.get()).toMatchObject([{ hash: hashOf(1), status: 'credited' }])
  // The claim carries what the buyer has confirmed.
  expect([posted, kept()]).toMatchObject([[{ transactionHash: hashOf(1), quantity: 1 }], null])
})
