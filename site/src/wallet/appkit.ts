import { createAppKit } from '@reown/appkit/core'
import { UniversalProvider } from '@walletconnect/universal-provider'
import { brandName } from '../live/brand.ts'
import { bsc, bscId, type Eip1193 } from './eip1193.ts'

/** Wallets on other devices, over WalletConnect; 400 KB that load on a press, and a server that is not ours. */
export type OtherWallet = { provider: Eip1193; name: string }

type Ask = {
  /** Ends the wait; a wallet that approves later is disconnected at once. */
  signal: AbortSignal
  /** The relay has answered: from here on the visitor may take any time. */
  onCode: () => void
}

const projectId = import.meta.env.PUBLIC_REOWN_PROJECT_ID ?? ''
const chain = `eip155:${bscId}` as const
const metadata = () => ({
  name: brandName(),
  description: 'Raffle tickets in USDT on BNB Smart Chain',
  url: location.origin,
  icons: [`${location.origin}/favicon.svg`],
})

type Provider = Awaited<ReturnType<typeof UniversalProvider.init>>
let provider: Promise<Provider> | undefined
let modal: ReturnType<typeof createAppKit> | undefined

/** One provider for the whole visit: two would use the same stored sessions. */
function open(): Promise<Provider> {
  provider ??= UniversalProvider.init({ projectId, metadata: metadata(), telemetryEnabled: false })
  return provider
}

/** The session of an earlier visit; undefined if it has ended. */
export async function restoreOtherWallet(): Promise<OtherWallet | undefined> {
  const wallet = await open()
  if (!wallet.session) return undefined
  wallet.setDefaultChain(chain)
  return known(wallet)
}

/** Shows AppKit's list and QR code until a wallet approves; undefined when the visitor closes it. */
export async function askOtherWallet({ signal, onCode }: Ask): Promise<OtherWallet | undefined> {
  const wallet = await open()
  signal.throwIfAborted()
  const kit = showKit(wallet)
  const left = Promise.withResolvers<undefined>()
  const stops: (() => void)[] = []
  try {
    await kit.open()
    wallet.once('display_uri', onCode)
    let wasOpen = true
    stops.push(
      kit.subscribeState(({ open: isOpen }) => {
        if (wasOpen && !isOpen) left.resolve(undefined)
        wasOpen = isOpen
      }),
    )
    signal.addEventListener('abort', () => left.reject(signal.reason), { once: true })
    let isLeft = false
    const approved = wallet.connect({ optionalNamespaces: { eip155: namespace } }).then((session) => {
      if (isLeft && session) void end(wallet)
      return session
    })
    approved.catch(() => undefined) // handled below, unless the visitor has left before
    const session = await Promise.race([approved, left.promise]).finally(() => {
      isLeft = true
    })
    if (!session) {
      wallet.abortPairingAttempt()
      return undefined
    }
    wallet.setDefaultChain(chain)
    return known(wallet)
  } finally {
    for (const stop of stops) stop()
    await kit.close().catch(() => undefined)
  }
}

const namespace = {
  chains: [chain],
  methods: ['eth_sendTransaction', 'personal_sign', 'wallet_switchEthereumChain', 'wallet_addEthereumChain'],
  events: ['accountsChanged', 'chainChanged'],
  rpcMap: { [bscId]: bsc.rpcUrls[0] ?? '' },
}

function showKit(wallet: Provider): ReturnType<typeof createAppKit> {
  const network = {
    id: bscId,
    name: bsc.chainName,
    nativeCurrency: bsc.nativeCurrency,
    rpcUrls: { default: { http: bsc.rpcUrls } },
    chainNamespace: 'eip155',
    caipNetworkId: chain,
  } as const
  modal ??= createAppKit({
    projectId,
    metadata: metadata(),
    networks: [network],
    universalProvider: wallet as never,
    manualWCControl: true,
    debug: false,
    features: { analytics: false },
    // Its own typeface would come from a third party.
    themeVariables: { '--apkt-font-family': 'inherit', '--w3m-font-family': 'inherit' },
  })
  const { theme } = document.documentElement.dataset
  const isDark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  modal.setThemeMode(isDark ? 'dark' : 'light')
  return modal
}

/** A session as an EIP-1193 wallet; when it ends, listeners of `accountsChanged` get an empty list. */
function known(wallet: Provider): OtherWallet {
  const ends = new Map<unknown, () => void>()
  return {
    name: wallet.session?.peer.metadata.name || 'WalletConnect',
    provider: {
      request: ({ method, params }) => wallet.request({ method, params: params as never }, chain),
      on: (event, listener) => {
        wallet.on(event, listener)
        if (event !== 'accountsChanged') return
        const gone = () => listener([] as never)
        ends.set(listener, gone)
        wallet.on('disconnect', gone)
      },
      removeListener: (event, listener) => {
        wallet.removeListener(event, listener)
        const gone = ends.get(listener)
        if (gone) wallet.removeListener('disconnect', gone)
      },
      endSession: () => void end(wallet),
    },
  }
}

/** Ends the session. Disconnecting throws if the wallet has already ended it. */
const end = (wallet: Provider): Promise<void> => wallet.disconnect().catch(() => undefined)
