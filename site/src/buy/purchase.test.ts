import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { tell } from '../../../e2e/lab/islands.ts'
import { hashOf, wallet } from '../../../e2e/lab/told.ts'
import { $toast } from '../shell/toast.ts'
import type { Eip1193 } from '../wallet/eip1193.ts'
import { connectFound, connectMetaMask, disconnect } from '../wallet/wallet.ts'
import { $isBuying, $isHanding, $purchases, buyTickets } from './purchase.ts'

type Answers = { accounts?: string[]; sends?: () => unknown; status?: number }
let posted: unknown[] = []

/** A wallet and a server that answer so; tells all toasts in their order. */
function world({ accounts = [wallet], sends = () => hashOf(1), status = 202 }: Answers = {}) {
  const toasts: string[] = []
  const stop = $toast.listen((toast) => toast && toasts.push(`${toast.title}: ${toast.text}`))
  onTestFinished(stop)
  const request: Eip1193['request'] = async ({ method }) =>
    method === 'eth_requestAccounts'
      ? accounts
      : method === 'eth_chainId'
        ? '0x38'
        : method === 'eth_sendTransaction'
          ? sends()
          : null
  vi.stubGlobal('fetch', async (place: Request | string, options?: RequestInit) => {
    if ((options?.method ?? 'GET') !== 'GET') posted.push(JSON.parse(`${options?.body}`))
    const payment = {
      walletAddress: wallet,
      status: 'credited',
      reason: null,
      ticketNumber: 1,
      ticketCount: 33,
    }
    const report = { transactionHash: hashOf(1), status: 'credited', reason: null, payments: [payment] }
    const isAsked = `${place instanceof Request ? place.url : place}`.includes('/purchase/')
    return isAsked
      ? Response.json(report)
      : Response.json({ code: 'RATE_LIMITED', message: 'No such payment.' }, { status })
  })
  const connect = () => connectFound({ request }, 'MetaMask', 'io.metamask')
  return { toasts, connect }
}

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
    'Connection Failed: MetaMask가 설치되어 있지 않습니다. 지갑을 설치한 뒤 다시 시도하세요.',
    'Connection Failed: 연결된 계정을 찾을 수 없습니다. 지갑에서 계정을 선택한 뒤 다시 시도하세요.',
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
  const refusals = [{ code: 4001 }, new Error('insufficient funds for gas'), {}]
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
