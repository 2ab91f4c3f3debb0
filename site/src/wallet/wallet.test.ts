import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { eachTestWithStorage } from '../../../e2e/lab/browser-storage.ts'
import {
  adding,
  type Call,
  failing,
  type Manner,
  never,
  reachingBsc,
  switching,
  toldChains,
  unknownChainErrors,
  withoutBsc,
} from '../../../e2e/lab/manners.ts'
import { walletKey } from '../shell/storage.ts'
import { $toast } from '../shell/toast.ts'
import { t } from '../texts/index.ts'
import type { Eip1193 } from './eip1193.ts'
import { walletApps } from './WalletButton.tsx'
import {
  $isDialogOpen,
  $offers,
  $wallet,
  connectMetaMask,
  connectOffer,
  disconnect,
  reconnect,
  startDiscovery,
  stopConnecting,
  walletProvider,
} from './wallet.ts'

const [account, second] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]

function wallet(manner: Manner = {}, chain: unknown = '0x1') {
  const world: Call['world'] = { chain, isAdded: false }
  const asked: string[] = []
  const listeners = new Map<string, (value: never) => void>()
  const usual: Partial<Record<string, () => unknown>> = {
    eth_requestAccounts: () => [account],
    eth_accounts: () => [account],
    eth_chainId: () => world.chain,
    [switching]: () => {
      world.chain = '0x38'
      return null
    },
    [adding]: () => {
      Object.assign(world, { chain: '0x38', isAdded: true })
      return null
    },
  }
  const provider: Eip1193 = {
    request: async ({ method }) => {
      const times = asked.filter((each) => each === method).length
      asked.push(method)
      const well = () => usual[method]?.()
      const own = manner[method]
      return own ? own({ world, usual: well, times }) : well()
    },
    on: (event, listener) => void listeners.set(event, listener),
    removeListener: (event) => void listeners.delete(event),
  }
  const offer = (name = 'X', uuid = name, rdns = 'io.x') => ({
    info: { uuid, name, icon: '', rdns },
    provider,
  })
  return {
    ...{ world, asked, provider, offer, listeners },
    tell: (event: string, value: unknown) => listeners.get(event)?.(value as never),
  }
}

eachTestWithStorage()
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  disconnect()
  $offers.set([])
  $toast.set(undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Where a connection with such a wallet ends. */
async function connected(manner: Manner) {
  const found = wallet(manner)
  const done = connectOffer(found.offer())
  await vi.runAllTimersAsync()
  await done
  return { ...found, status: $wallet.get().status, said: $toast.get()?.text }
}

describe('the chain', () => {
  test.each(reachingBsc)('a wallet that %s is connected', async (_, manner) => {
    expect((await connected(manner)).status).toBe('connected')
  })

  test.each(unknownChainErrors.map((error) => [error]))(
    'an unknown chain said as %j is added',
    async (error) => {
      const { status, asked } = await connected(withoutBsc(error))
      expect([status, asked.includes(adding)]).toEqual(['connected', true])
    },
  )

  test('a wallet that stays elsewhere whatever it says is not connected, and neither is one that refuses', async () => {
    const stays = await connected({ [switching]: () => null, [adding]: () => null })
    expect([stays.status, stays.said]).toEqual(['disconnected', t.wallet.stayedElsewhere])
    for (const method of [switching, adding]) {
      const unknown = failing({ code: 4902 })
      const refuses = await connected({ [switching]: unknown, [method]: failing({ code: 4001 }) })
      expect([refuses.status, refuses.said]).toEqual(['disconnected', 'You rejected the request in X.'])
    }
  })

  test('a change of chain is heard in each form, and asked for where it is no number', async () => {
    const found = wallet({}, '0x38')
    const done = connectOffer(found.offer())
    await vi.runAllTimersAsync()
    await done
    const heard = async (told: unknown, chain: string) => {
      $wallet.set({ ...$wallet.get(), isOnBsc: chain !== '0x38' })
      found.world.chain = chain
      found.tell('chainChanged', told)
      await vi.runAllTimersAsync()
      return $wallet.get().isOnBsc
    }
    for (const [chain, isBsc] of [
      [56, true],
      [1, false],
    ] as const)
      for (const tell of toldChains)
        expect([tell(chain), await heard(tell(chain), `0x${chain.toString(16)}`)]).toEqual([
          tell(chain),
          isBsc,
        ])
  })
})

describe('the wait', () => {
  test('closing the dialog ends it, and a late answer comes to nothing', async () => {
    let answer = (_: string[]) => {}
    const silent = wallet({
      eth_requestAccounts: () =>
        new Promise<string[]>((resolve) => {
          answer = resolve
        }),
    })
    void connectOffer(silent.offer())
    expect($wallet.get().status).toBe('connecting')
    stopConnecting()
    answer([account])
    await vi.runAllTimersAsync()
    expect([$wallet.get().status, $toast.get()]).toEqual(['disconnected', undefined])
  })

  test('another wallet can be chosen while one does not answer', async () => {
    void connectOffer(wallet({ eth_requestAccounts: never }).offer('Silent'))
    const done = connectOffer(wallet({}, '0x38').offer('Other'))
    await vi.runAllTimersAsync()
    await done
    expect($wallet.get()).toMatchObject({ status: 'connected', name: 'Other' })
    expect($isDialogOpen.get()).toBe(false)
  })
})

test('two wallets of one name are told apart, and one that announces itself twice is one', async () => {
  startDiscovery()
  const announce = (detail: unknown) =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  const [first, second] = [wallet({}, '0x38'), wallet({}, '0x38')]
  for (const detail of [
    first.offer('MetaMask', '1', 'io.metamask'),
    second.offer('MetaMask', '2', 'io.metamask'),
    first.offer('MetaMask', '1', 'io.metamask'),
    second.offer('MetaMask', '3', 'io.metamask'),
  ])
    announce(detail)
  expect($offers.get().map(({ info }) => info.uuid)).toEqual(['1', '2'])
  await connectMetaMask()
  expect([first.asked.length > 0, second.asked]).toEqual([true, []])
})

test('the links that open this page in a wallet are those of their makers', () => {
  const inside = 'https%3A%2F%2Fraffle.example%2Fko%2F%23buy'
  expect(walletApps('https://raffle.example/ko/#buy').map(({ url }) => url)).toEqual([
    'https://link.metamask.io/dapp/raffle.example/ko/#buy',
    `https://link.trustwallet.com/open_url?coin_id=20000714&url=${inside}`,
    `https://web3.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${inside}`)}`,
  ])
})

test('accounts, then the chain: the wallet is kept for the next visit, which asks it nothing that opens it', async () => {
  const found = wallet({}, '0x38')
  $offers.set([found.offer('MetaMask', '1', 'io.metamask')])
  await connectMetaMask()
  expect(found.asked).toEqual(['eth_requestAccounts', 'wallet_switchEthereumChain', 'eth_chainId'])
  expect($wallet.get()).toMatchObject({ status: 'connected', address: account, isOnBsc: true })
  $wallet.set({ status: 'disconnected' })
  found.asked.length = 0
  await reconnect()
  expect([found.asked, $wallet.get().address]).toEqual([['eth_accounts', 'eth_chainId'], account])
  disconnect()
  await reconnect()
  expect([$wallet.get().status, localStorage.getItem(walletKey)]).toEqual(['disconnected', null])
})

test('a wallet that exists only as window.ethereum connects too, also at the next visit', async () => {
  const found = wallet({}, '0x38')
  Object.assign(window, { ethereum: found.provider })
  await connectMetaMask()
  expect($wallet.get().status).toBe('connected')
  $wallet.set({ status: 'disconnected' })
  await reconnect()
  expect(walletProvider()).toBe(found.provider)
})

test('of several wallets the chosen one gets the requests', async () => {
  const [metaMask, rabby] = [wallet({}, '0x38'), wallet({}, '0x38')]
  $offers.set([metaMask.offer('MetaMask', '1', 'io.metamask'), rabby.offer('Rabby', '2', 'io.rabby')])
  await connectOffer(rabby.offer('Rabby', '2', 'io.rabby'))
  expect([metaMask.asked, $wallet.get().name]).toEqual([[], 'Rabby'])
})

test.each([
  ['has no account', { eth_requestAccounts: () => [] }, t.wallet.noAccount],
  ['is told no', { eth_requestAccounts: failing({ code: 4001 }) }, 'You rejected the request in X.'],
] as const)('a wallet that %s stays disconnected, and the page says why', async (_, manner, text) => {
  const { status, said } = await connected(manner)
  expect([status, localStorage.getItem(walletKey), $toast.get()?.title, said]).toEqual([
    ...['disconnected', null],
    ...[t.wallet.failed, text],
  ])
})

test('another account is taken over, no account is a disconnect, and another chain is told', async () => {
  const found = wallet({}, '0x38')
  await connectOffer(found.offer())
  found.tell('accountsChanged', [second])
  expect($wallet.get().address).toBe(second)
  found.tell('chainChanged', '0x1')
  expect($toast.get()?.title).toBe(t.wallet.wrongNetwork)
  found.tell('accountsChanged', [])
  expect([$wallet.get().status, $toast.get()?.title, found.listeners.size]).toEqual([
    ...['disconnected', t.wallet.disconnected, 0],
  ])
})
