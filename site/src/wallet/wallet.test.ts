import { beforeEach, expect, test, vi } from 'vitest'
import { eachTestWithStorage } from '../../../e2e/lab/browser-storage.ts'
import { walletKey } from '../shell/storage.ts'
import { $toast } from '../shell/toast.ts'
import { t } from '../texts/index.ts'
import type { Eip1193 } from './eip1193.ts'
import {
  $offers,
  $wallet,
  connectMetaMask,
  connectOffer,
  disconnect,
  reconnect,
  walletProvider,
} from './wallet.ts'

const [first, second] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
const rejection = Object.assign(new Error('no'), { code: 4001 })

/** A wallet on BNB Smart Chain with these accounts; what is in `fails` is refused. */
function aWallet(accounts: string[] = [first], fails: Record<string, Error> = {}) {
  const asked: string[] = []
  const listeners = new Map<string, (value: never) => void>()
  const provider: Eip1193 = {
    request: async ({ method }) => {
      asked.push(method)
      if (fails[method]) throw fails[method]
      return method === 'eth_chainId' ? '0x38' : method.includes('ccounts') ? accounts : null
    },
    on: (event, listener) => void listeners.set(event, listener),
    removeListener: (event) => void listeners.delete(event),
  }
  const tell = (event: string, value: unknown) => listeners.get(event)?.(value as never)
  const offer = (name: string, rdns: string) => ({ info: { uuid: name, name, icon: '', rdns }, provider })
  return { asked, provider, tell, offer, listeners }
}

eachTestWithStorage()
beforeEach(() => {
  vi.stubGlobal('window', new EventTarget())
  disconnect()
  $offers.set([])
  $toast.set(undefined)
})

const told = () => [$toast.get()?.title, $toast.get()?.text]

test('accounts, then the chain: the wallet is kept for the next visit, which asks it nothing that opens it', async () => {
  const wallet = aWallet()
  $offers.set([wallet.offer('MetaMask', 'io.metamask')])
  await connectMetaMask()
  expect(wallet.asked).toEqual(['eth_requestAccounts', 'wallet_switchEthereumChain', 'eth_chainId'])
  expect($wallet.get()).toMatchObject({ status: 'connected', address: first, isOnBsc: true })
  $wallet.set({ status: 'disconnected' })
  wallet.asked.length = 0
  await reconnect()
  expect([wallet.asked, $wallet.get().address]).toEqual([['eth_accounts', 'eth_chainId'], first])
  disconnect()
  await reconnect()
  expect([$wallet.get().status, localStorage.getItem(walletKey)]).toEqual(['disconnected', null])
})

test('a wallet that exists only as window.ethereum connects too, also at the next visit', async () => {
  const wallet = aWallet()
  Object.assign(window, { ethereum: wallet.provider })
  await connectMetaMask()
  expect($wallet.get().status).toBe('connected')
  $wallet.set({ status: 'disconnected' })
  await reconnect()
  expect(walletProvider()).toBe(wallet.provider)
})

test('of several wallets the chosen one gets the requests', async () => {
  const [metaMask, rabby] = [aWallet(), aWallet()]
  $offers.set([metaMask.offer('MetaMask', 'io.metamask'), rabby.offer('Rabby', 'io.rabby')])
  await connectOffer(rabby.offer('Rabby', 'io.rabby'))
  expect([metaMask.asked, $wallet.get().name]).toEqual([[], 'Rabby'])
})

test.each([
  ['has no account', aWallet([]), t.wallet.noAccount],
  ['is told no', aWallet([first], { eth_requestAccounts: rejection }), 'You rejected the request in X.'],
  [
    'refuses the chain',
    aWallet([first], { wallet_switchEthereumChain: rejection }),
    'You rejected the request in X.',
  ],
] as const)('a wallet that %s stays disconnected, and the page says why', async (_, wallet, text) => {
  await connectOffer(wallet.offer('X', 'io.x'))
  expect([$wallet.get().status, localStorage.getItem(walletKey), ...told()]).toEqual([
    ...['disconnected', null],
    ...[t.wallet.failed, text],
  ])
})

test('another account is taken over, no account is a disconnect, and another chain is told once', async () => {
  const wallet = aWallet()
  await connectOffer(wallet.offer('X', 'io.x'))
  wallet.tell('accountsChanged', [second])
  expect($wallet.get().address).toBe(second)
  wallet.tell('chainChanged', '0x1')
  expect([$wallet.get().isOnBsc, told()[0]]).toEqual([false, t.wallet.wrongNetwork])
  wallet.tell('chainChanged', '0x38')
  expect($wallet.get().isOnBsc).toBe(true)
  wallet.tell('accountsChanged', [])
  expect([$wallet.get().status, told()[0], wallet.listeners.size]).toEqual([
    ...['disconnected', t.wallet.disconnected],
    0,
  ])
})
