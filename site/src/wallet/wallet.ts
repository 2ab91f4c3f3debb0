import { atom } from 'nanostores'
import type { Address } from 'viem'
import { storage, walletKey } from '../shell/storage.ts'
import { showToast } from '../shell/toast.ts'
import { fill, t } from '../texts/index.ts'
import {
  bscId,
  discover,
  type Eip1193,
  ensureBsc,
  errorText,
  isBscAt,
  rpcCode,
  type WalletOffer,
  withOffer,
} from './eip1193.ts'

export type Wallet = {
  status: 'disconnected' | 'connecting' | 'connected'
  address?: Address
  shown?: Address | undefined
  name?: string
  /** False once the wallet has left BNB Smart Chain; buying switches it back. */
  isOnBsc?: boolean
}

export const $wallet = atom<Wallet>({ status: 'disconnected' })
export const $offers = atom<readonly WalletOffer[]>([])
export const $isDialogOpen = atom(false)
/** The last error, for the dialog; the toast shows it too, but closes after five seconds. */
export const $walletTrouble = atom('')

const metaMask = 'io.metamask'
/** Stored for a wallet found only as `window.ethereum`. */
const legacy = 'window.ethereum'
export const otherWallet = 'walletconnect'

/** Counts what is waited for; an answer to an earlier one comes too late. */
let attempt = 0
/** The live provider stays out of the store, which holds plain values only. */
let provider: Eip1193 | undefined
let stopListening: (() => void) | undefined
let isDiscovering = false

export const walletProvider = (): Eip1193 | undefined => provider

/** Asks wallets to announce themselves and keeps listening; safe to call again. */
export function startDiscovery(): void {
  if (isDiscovering) return
  isDiscovering = true
  discover((offer) => $offers.set(withOffer($offers.get(), offer)))
}

export const metaMaskOffer = (): WalletOffer | undefined =>
  $offers.get().find(({ info }) => info.rdns === metaMask)

export async function connectMetaMask(): Promise<void> {
  const announced = metaMaskOffer()
  if (announced) return connectFound(announced.provider, announced.info.name, metaMask)
  if (window.ethereum) return connectFound(window.ethereum, 'MetaMask', legacy)
  connectionFailed(t.wallet.noMetaMask, t.wallet.noMetaMaskHere)
}

export const connectOffer = ({ provider, info }: WalletOffer): Promise<void> =>
  connectFound(provider, info.name, info.rdns)

export function disconnect(): void {
  forget()
  showToast(t.wallet.disconnected, t.wallet.disconnectedText)
}

/** Reconnects the wallet of the last visit, if it still shares an account. The visitor gets no prompt. */
export async function reconnect(): Promise<void> {
  const rdns = storage.read(walletKey, (value): value is string => typeof value === 'string')
  if (!rdns || $wallet.get().status !== 'disconnected') return
  try {
    const { provider: found, name } = (await remembered(rdns)) ?? {}
    if (!found) return
    const account = firstAccount(await found.request({ method: 'eth_accounts' }))
    if (!account) return storage.write(walletKey, undefined)
    const chainId = Number(await found.request({ method: 'eth_chainId' }))
    if ($wallet.get().status === 'disconnected') adopt(found, name ?? 'MetaMask', account, chainId === bscId)
  } catch {
    // The wallet is locked or broken: the visitor connects by hand.
  }
}

async function remembered(rdns: string): Promise<{ provider: Eip1193; name?: string } | undefined> {
  if (rdns === otherWallet)
    return import.meta.env.PUBLIC_REOWN_PROJECT_ID
      ? (await import('./appkit.ts')).restoreOtherWallet()
      : undefined
  startDiscovery()
  const offer = await announcedWithin(1_500, rdns)
  if (offer) return { provider: offer.provider, name: offer.info.name }
  return rdns === legacy && window.ethereum ? { provider: window.ethereum } : undefined
}

/** Asks for account and chain; `rdns` is stored. Another wallet that is asked already is waited for no more. */
export async function connectFound(found: Eip1193, name: string, rdns: string): Promise<void> {
  const mine = ++attempt
  $walletTrouble.set('')
  $wallet.set({ status: 'connecting', name })
  try {
    const account = firstAccount(await found.request({ method: 'eth_requestAccounts' }))
    if (mine !== attempt) return
    if (!account) {
      forget()
      return connectionFailed(t.wallet.noAccount, fill(t.wallet.noAccountHere, { wallet: name }))
    }
    await ensureBsc(found)
    if (mine !== attempt) return
    adopt(found, name, account, true)
    storage.write(walletKey, rdns)
    $isDialogOpen.set(false)
    showToast(t.wallet.connected, fill(t.wallet.connectedText, { wallet: name }), 'good')
  } catch (error) {
    if (mine !== attempt) return
    forget()
    connectionFailed(walletMessage(error, name) ?? t.wallet.notConnectable)
  }
}

/** The visitor has closed the dialog: whatever the wallet answers now is too late. */
export function stopConnecting(): void {
  if ($wallet.get().status === 'connecting') forget()
}

function adopt(found: Eip1193, name: string, address: Address, isOnBsc: boolean): void {
  stopListening?.()
  provider = found
  $wallet.set({ status: 'connected', address, name, isOnBsc })
  void showChecksum(address)
  const accountsChanged = (accounts: unknown) => {
    const account = firstAccount(accounts)
    if (!account) return disconnect()
    if (account !== $wallet.get().address)
      $wallet.set({ ...$wallet.get(), address: account, shown: undefined })
    void showChecksum(account)
  }
  const chainChanged = async (chainId: unknown) => {
    // Some tell it as an object or by another name: the wallet is asked then.
    const isKnown = /^(0x[0-9a-f]+|\d+)$/i.test(`${chainId}`)
    const isBsc = isKnown ? Number(chainId) === bscId : await isBscAt(found).catch(() => false)
    if (provider !== found) return
    if (!isBsc && $wallet.get().isOnBsc) showToast(t.wallet.wrongNetwork, t.wallet.wrongNetworkText, 'bad')
    $wallet.set({ ...$wallet.get(), isOnBsc: isBsc })
  }
  found.on?.('accountsChanged', accountsChanged)
  found.on?.('chainChanged', chainChanged)
  stopListening = () => {
    found.removeListener?.('accountsChanged', accountsChanged)
    found.removeListener?.('chainChanged', chainChanged)
  }
}

/** Before a transaction: the connected wallet is brought to BNB Smart Chain. */
export async function toBsc(): Promise<void> {
  const asked = provider
  if (!asked) return
  await ensureBsc(asked)
  if (provider === asked) $wallet.set({ ...$wallet.get(), isOnBsc: true })
}

/** A sentence for a wallet's error; undefined where the error has no message. */
export function walletMessage(error: unknown, name = t.wallet.yours): string | undefined {
  const code = rpcCode(error)
  if (code === 4001) return fill(t.wallet.rejected, { wallet: name })
  if (code === -32002) return fill(t.wallet.waiting, { wallet: name })
  return errorText(error)
}

function forget(): void {
  attempt++
  stopListening?.()
  stopListening = undefined
  provider?.endSession?.()
  provider = undefined
  storage.write(walletKey, undefined)
  $wallet.set({ status: 'disconnected' })
}

export function connectionFailed(text: string, trouble = text): void {
  $walletTrouble.set(trouble)
  showToast(t.wallet.failed, text, 'bad')
}

function firstAccount(accounts: unknown): Address | undefined {
  const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof account === 'string' && /^0x[0-9a-fA-F]{40}$/.test(account) ? (account as Address) : undefined
}

/** Shows the address in checksum form, as elsewhere; wallets often give it in lower case. */
async function showChecksum(address: Address): Promise<void> {
  const { checksum } = await import('./checksum.ts')
  if ($wallet.get().address === address) $wallet.set({ ...$wallet.get(), shown: checksum(address) })
}

/** Waits, as extensions announce themselves a moment after the page has loaded. */
async function announcedWithin(ms: number, rdns: string): Promise<WalletOffer | undefined> {
  for (const end = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const offer = $offers.get().find(({ info }) => info.rdns === rdns)
    if (offer || rdns === legacy || Date.now() > end) return offer
  }
}
