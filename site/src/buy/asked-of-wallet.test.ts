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

/** A connected wallet that answers a transaction so; what is in `switching` are its answers to a change of chain. */
async function connected(hash: string, switching: unknown[] = []) {
  const sent: unknown[] = []
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    if (method === 'eth_chainId') return '0x38'
    if (method === 'eth_requestAccounts') return [payer]
    if (method === 'eth_sendTransaction') {
      sent.push((params as unknown[])[0])
      return hash
    }
    const refused = switching.shift()
    if (refused) throw refused
    return null
  }
  await connectOffer({ info: { uuid: 'X', name: 'X', icon: '', rdns: 'io.x' }, provider: { request } })
  return sent
}
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

test('the wallet is asked for one exact transfer, and an answer that is no hash records nothing', async () => {
  const sent = await connected('no hash')
  await buyTickets(33)
  const word = (hex: string) => hex.padStart(64, '0')
  expect(sent).toEqual([
    {
      ...{ from: payer, to: pinnedToken(), value: '0x0', gas: '0x15f90', chainId: '0x38' },
      data: `0xa9059cbb${word(operator.slice(2))}${word((99n * 10n ** 18n).toString(16))}`,
    },
  ])
  expect(told()).toEqual([t.buyToasts.failedTitle, 'The wallet gave no hash.'])
  expect([$isBuying.get(), $purchases.get(), localStorage.getItem(purchasesKey)]).toEqual([false, [], null])
})

test('nothing is asked for with another token, or when the wallet does not go back to the chain', async () => {
  const sent = await connected('', [null, Object.assign(new Error('no'), { code: 4001 })])
  await buyTickets(1)
  expect(told()).toEqual([t.buyToasts.failedTitle, 'You rejected the request in X.'])
  const { config, stats } = $live.get() as PublicState
  $live.set({ config: { ...config, tokenAddress: `0x${'66'.repeat(20)}` }, stats } as PublicState)
  await buyTickets(1)
  expect(told()).toEqual([t.buyToasts.purchaseFailed, t.buy.swapped])
  expect(sent).toEqual([])
})
