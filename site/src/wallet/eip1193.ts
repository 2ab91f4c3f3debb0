import type { Hash } from 'viem'
import { t } from '../texts/index.ts'

export type Eip1193 = {
  request(call: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: never) => void): void
  removeListener?(event: string, listener: (value: never) => void): void
  /** Not part of EIP-1193: ends the session of a wallet on another device. */
  endSession?(): void
}

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

/** Two wallets may have one name and one rdns; a wallet that announces itself twice has one uuid, or one provider. */
export const withOffer = (known: readonly WalletOffer[], offer: WalletOffer): readonly WalletOffer[] =>
  known.some(({ info, provider }) => info.uuid === offer.info.uuid || provider === offer.provider)
    ? known
    : [...known, offer]

/** BNB Smart Chain, unless the pages were built for its test network. */
export const bscId = Number(import.meta.env.PUBLIC_CHAIN_ID || 56)

export const bsc = {
  chainId: `0x${bscId.toString(16)}`,
  chainName: bscId === 97 ? 'BNB Smart Chain Testnet' : 'BNB Smart Chain',
  nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
  rpcUrls: [
    bscId === 97 ? 'https://data-seed-prebsc-1-s1.bnbchain.org:8545' : 'https://bsc-dataseed.bnbchain.org',
  ],
  blockExplorerUrls: [bscId === 97 ? 'https://testnet.bscscan.com' : 'https://bscscan.com'],
}

/** How long a wallet that has said yes to the switch may take to be there; asked again so often. */
const switchMs = 3_000
const askAgainMs = 250

/** Adds the chain where the wallet lacks it, or says yes and stays elsewhere: its answer is no state. */
export async function ensureBsc(provider: Eip1193): Promise<void> {
  const switchChain = () =>
    provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: bsc.chainId }] })
  const isUnknown = await switchChain().then(
    () => false,
    (error) => {
      if (rpcCode(error) === unknownChain) return true
      throw error
    },
  )
  if (!isUnknown && (await comesToBsc(provider, switchMs))) return
  await provider.request({ method: 'wallet_addEthereumChain', params: [bsc] })
  // Some wallets add a chain without switching to it.
  if (!(await comesToBsc(provider, 0))) await switchChain()
  if (!(await comesToBsc(provider, switchMs))) throw new Error(t.wallet.stayedElsewhere)
}

async function comesToBsc(provider: Eip1193, withinMs: number): Promise<boolean> {
  for (let left = withinMs; ; left -= askAgainMs) {
    if (await isBscAt(provider)) return true
    if (left <= 0) return false
    await new Promise((resolve) => setTimeout(resolve, askAgainMs))
  }
}

export const isBscAt = async (provider: Eip1193): Promise<boolean> =>
  Number(await provider.request({ method: 'eth_chainId' })) === bscId

/** Undefined where the wallet told neither that it was sent nor that it was not. Throws only if nothing was sent. */
export async function sendTransaction(provider: Eip1193, transaction: object): Promise<Hash | undefined> {
  try {
    return hashIn(await provider.request({ method: 'eth_sendTransaction', params: [transaction] }))
  } catch (error) {
    if (isNothingSent(error)) throw error
    return undefined
  }
}

/** A transaction hash by itself, with white space, or in an object under the names that wallets give it. */
function hashIn(answer: unknown): Hash | undefined {
  const { hash, transactionHash } = (answer ?? {}) as { hash?: unknown; transactionHash?: unknown }
  const text = [answer, hash, transactionHash].find((each) => typeof each === 'string')
  const found = typeof text === 'string' ? text.trim().toLowerCase() : ''
  return /^0x[0-9a-f]{64}$/.test(found) ? (found as Hash) : undefined
}

/** Not taken by the wallet: rejected, not authorised, not supported, busy with another request, unknown, malformed. */
const nothingSent = new Set([4001, 4100, 4200, 4902, -32002, -32601, -32602])
const refusedByNode =
  /insufficient|not enough|exceeds (the )?(balance|allowance|block gas limit)|intrinsic gas|gas required|nonce too low|underpriced|revert/i

const isNothingSent = (error: unknown): boolean =>
  nothingSent.has(rpcCode(error) ?? 0) || refusedByNode.test(errorText(error) ?? '')

/** Asks the wallet to sign a text as EIP-191 has it. Throws what the wallet throws. */
export const personalSign = (provider: Eip1193, text: string, account: string): Promise<unknown> =>
  provider.request({ method: 'personal_sign', params: [hexOf(text), account] })

const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

const [rejected, unknownChain] = [4001, 4902]
/** What these codes say holds wherever they stand; for others the outermost counts. */
const telling = new Set([...nothingSent, 5000])
/** "Something went wrong inside", with and without its minus. */
const isGeneric = (code: number) => Math.abs(code) === 32_603

/** What an error means as a code of EIP-1193, wherever wallets hide it; undefined where nothing tells. */
export function rpcCode(error: unknown): number | undefined {
  const layers = layersOf(error)
  const codes = layers.map(({ code }) => Number(code)).filter((code) => Number.isInteger(code) && code !== 0)
  const told = codes.find((code) => telling.has(code))
  if (told !== undefined) return told === 5000 ? rejected : told
  for (const { code, message } of layers) {
    const words = `${code ?? ''} ${message ?? ''}`
    if (/ACTION_REJECTED|(user|request) (rejected|denied|cancell?ed)|rejected by user/i.test(words))
      return rejected
    if (/wallet_addEthereumChain|unrecognized chain/i.test(words)) return unknownChain
  }
  return codes.find((code) => !isGeneric(code))
}

/** The sentence of an error that says most: the innermost one, as those around it only pass it on. */
export const errorText = (error: unknown): string | undefined =>
  layersOf(error)
    .map(({ message }) => message)
    .findLast(
      (message) => typeof message === 'string' && !/^(internal (json-rpc )?error\.?)?$/i.test(message),
    ) as string | undefined

type Layer = { code?: unknown; message?: unknown }

/** An error with all that is wrapped in it, from the outside in. */
function layersOf(error: unknown): Layer[] {
  const layers: Layer[] = []
  const open = [error]
  for (const layer of open) {
    if (typeof layer !== 'object' || layer === null || layers.includes(layer) || layers.length > 12) continue
    layers.push(layer)
    const { data, cause, error: inner, originalError, info } = layer as Record<string, unknown>
    open.push(data, originalError, cause, inner, info)
  }
  return layers
}

/** Addresses are compared without case: some are written with a checksum. */
export const isSameAddress = (a: string, b: string | undefined): boolean =>
  a.toLowerCase() === b?.toLowerCase()
