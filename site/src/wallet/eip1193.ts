import { t } from '../texts/index.ts'

/** The part of the EIP-1193 wallet interface that we use. */
export type Eip1193 = {
  request(call: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: never) => void): void
  removeListener?(event: string, listener: (value: never) => void): void
  /** Not part of EIP-1193: ends the session of a wallet on another device. */
  endSession?(): void
}

/** A wallet as it announces itself by EIP-6963. */
export type WalletOffer = {
  info: { uuid: string; name: string; icon: string; rdns: string }
  provider: Eip1193
}

declare global {
  interface Window {
    ethereum?: Eip1193
  }
}

/** Calls `found` for every wallet that announces itself, now or later; the returned function stops it. */
export function discover(found: (offer: WalletOffer) => void): () => void {
  const listener = (event: Event) => {
    const offer = (event as CustomEvent<WalletOffer>).detail
    if (offer?.info?.rdns && offer.provider) found(offer)
  }
  window.addEventListener('eip6963:announceProvider', listener)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => window.removeEventListener('eip6963:announceProvider', listener)
}

type ChainParams = {
  chainId: string
  chainName: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpcUrls: string[]
  blockExplorerUrls: string[]
}

/** BNB Smart Chain, unless the pages were built for its test network. */
export const bscId = Number(import.meta.env.PUBLIC_CHAIN_ID || 56)

export const bsc: ChainParams = {
  chainId: `0x${bscId.toString(16)}`,
  chainName: bscId === 97 ? 'BNB Smart Chain Testnet' : 'BNB Smart Chain',
  nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
  rpcUrls: [
    bscId === 97 ? 'https://data-seed-prebsc-1-s1.bnbchain.org:8545' : 'https://bsc-dataseed.bnbchain.org',
  ],
  blockExplorerUrls: [bscId === 97 ? 'https://testnet.bscscan.com' : 'https://bscscan.com'],
}

/** Switches the wallet to BNB Smart Chain and adds the chain first if the wallet does not know it. */
export async function ensureBsc(provider: Eip1193): Promise<void> {
  const params = [{ chainId: bsc.chainId }]
  const switchChain = () => provider.request({ method: 'wallet_switchEthereumChain', params })
  const isBsc = async () => Number(await provider.request({ method: 'eth_chainId' })) === bscId
  try {
    await switchChain()
  } catch (error) {
    if (rpcCode(error) !== 4902) throw error
    await provider.request({ method: 'wallet_addEthereumChain', params: [bsc] })
    // Some wallets add a chain without switching to it.
    if (!(await isBsc())) await switchChain()
  }
  if (!(await isBsc())) throw new Error(t.wallet.stayedElsewhere)
}

type Nested = { code?: unknown; cause?: unknown; data?: { originalError?: { code?: unknown } } }

/** The code of a wallet's error. Mobile wallets hide it in `data.originalError`, libraries in `cause`. */
export function rpcCode(error: unknown): number | undefined {
  let layer = error as Nested | null | undefined
  for (let depth = 0; layer && typeof layer === 'object' && depth < 5; depth++) {
    const inner = layer.data?.originalError?.code
    if (typeof inner === 'number') return inner
    if (typeof layer.code === 'number' && layer.code !== -32603) return layer.code
    layer = layer.cause as Nested | undefined
  }
  return undefined
}
