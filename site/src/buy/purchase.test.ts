import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PublicState } from '../../../core/live/public.ts'
import { eachTestWithStorage } from '../../../e2e/lab/browser-storage.ts'
import { $live } from '../live/live.ts'
import { purchasesKey } from '../shell/storage.ts'
import { $toast } from '../shell/toast.ts'
import { t } from '../texts/index.ts'
import { pinnedToken } from '../wallet/token.ts'
import { connectOffer, disconnect } from '../wallet/wallet.ts'
import { $isBuying, $purchases, buyTickets } from './purchase.ts'

const payer = `0x${'a1'.repeat(20)}`
const operator = `0x${'c3'.repeat(20)}`

/** A connected wallet; `answers` are thrown, or returned, for one transaction after the other. */
async function connected(answers: unknown[], switching: unknown[] = []) {
  const sent: unknown[] = []
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    if (method === 'eth_chainId') return '0x38'
    if (method === 'wallet_switchEthereumChain') {
      const answer = switching.shift()
      if (answer instanceof Error) throw answer
      return null
    }
    if (method !== 'eth_sendTransaction') return [payer]
    sent.push((params as unknown[])[0])
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  await connectOffer({ info: { uuid: 'X', name: 'X', icon: '', rdns: 'io.x' }, provider: { request } })
  return sent
}
const failing = (code: number, message: string) => Object.assign(new Error(message), { code })
const told = () => [$toast.get()?.title, $toast.get()?.text]

eachTestWithStorage()
class SilentStream extends EventTarget {
  close() {}
}
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('EventSource', SilentStream)
  disconnect()
  $purchases.set([])
  $live.set({
    config: { operatorWallet: operator, tokenAddress: pinnedToken(), chainId: 56, terms: '' },
    stats: { ticketPrice: 3, ticketsSold: 0 },
  } as unknown as PublicState)
})

afterEach(() => {
  $live.set({})
  vi.advanceTimersByTime(2_000) // stores that nobody listens to let go of the stream
  vi.useRealTimers()
})

test('the wallet is asked for one exact transfer; what it refuses is told, and nothing is recorded', async () => {
  const sent = await connected([
    failing(4001, 'no'),
    failing(-32000, 'insufficient funds for gas'),
    failing(-32000, ''),
    'no hash',
  ])
  const texts: unknown[] = []
  for (let press = 0; press < 4; press++) {
    await buyTickets(33)
    texts.push(told())
  }
  expect(texts).toEqual(
    [
      ...['You rejected the request in X.', 'insufficient funds for gas'],
      ...[t.buyToasts.failedText, 'The wallet gave no hash.'],
    ].map((text) => [t.buyToasts.failedTitle, text]),
  )
  const word = (hex: string) => hex.padStart(64, '0')
  expect(sent[0]).toEqual({
    ...{ from: payer, to: pinnedToken(), value: '0x0', gas: '0x15f90', chainId: '0x38' },
    data: `0xa9059cbb${word(operator.slice(2))}${word((99n * 10n ** 18n).toString(16))}`,
  })
  expect([$isBuying.get(), $purchases.get(), localStorage.getItem(purchasesKey)]).toEqual([false, [], null])
})

test('nothing is asked for without an operator wallet, without a wallet, with another token, or off the chain', async () => {
  await buyTickets(1)
  expect(told()).toEqual([t.buyToasts.walletTitle, t.buyToasts.walletText])
  const sent = await connected([], [null, failing(4001, 'no')])
  await buyTickets(1)
  expect(told()).toEqual([t.buyToasts.failedTitle, 'You rejected the request in X.'])
  const { config, stats } = $live.get() as PublicState
  $live.set({ config: { ...config, tokenAddress: `0x${'66'.repeat(20)}` }, stats } as PublicState)
  await buyTickets(1)
  expect(told()).toEqual([t.buyToasts.purchaseFailed, t.buy.swapped])
  $live.set({ config: { ...config, operatorWallet: null }, stats } as PublicState)
  await buyTickets(1)
  expect(told()).toEqual([t.buyToasts.operatorTitle, t.buyToasts.operatorText])
  expect(sent).toEqual([])
})
