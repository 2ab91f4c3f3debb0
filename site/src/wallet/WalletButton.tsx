import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import phoneIcon from 'lucide-static/icons/smartphone.svg?raw'
import walletIcon from 'lucide-static/icons/wallet.svg?raw'
import { useEffect, useState } from 'react'
import { shorten } from '../../../core/money.ts'
import { site } from '../content/site.ts'
import { Icon } from '../shell/Icon.tsx'
import { island, useModal, useShown } from '../shell/island.tsx'
import { Muted, Stack } from '../shell/Layout.tsx'
import { DialogHead } from '../shell/Parts.tsx'
import { fill, t } from '../texts/index.ts'
import styles from './wallet.module.css'
import {
  $isDialogOpen,
  $offers,
  $wallet,
  $walletTrouble,
  connectFound,
  connectionFailed,
  connectMetaMask,
  connectOffer,
  disconnect,
  metaMaskOffer,
  otherWallet,
  startDiscovery,
  stopConnecting,
} from './wallet.ts'

export const WalletButton = island(function WalletButton() {
  const wallet = useShown($wallet)
  const { status, isOnBsc, shown: address = wallet.address } = wallet
  return (
    <>
      {status === 'connected' && address ? (
        <button
          type="button"
          className={`button edged small ${styles.button} figure`}
          translate="yes"
          title={address}
          aria-label={fill(t.wallet.disconnect, { address: shorten(address, 4, 4) })}
          onClick={disconnect}
        >
          <span className={`dot ${isOnBsc ? 'ok' : 'bad'}`} />
          <span translate="no">{shorten(address, 4, 4)}</span>
        </button>
      ) : (
        <button
          type="button"
          className={`button small ${styles.button}`}
          aria-haspopup="dialog"
          onClick={() => $isDialogOpen.set(true)}
        >
          {status === 'connecting' ? <span className="busy-ring" /> : <Icon svg={walletIcon} />}
          <span className={styles.words}>
            {status === 'connecting' ? t.wallet.connecting : t.wallet.title}
          </span>
        </button>
      )}
      <WalletDialog />
    </>
  )
})

/** Closing it, or choosing another wallet, ends the wait for one that does not answer. @internal */
export function WalletDialog() {
  const isOpen = useShown($isDialogOpen)
  const dialog = useModal(isOpen)
  const { status, name } = useShown($wallet)
  const offers = useShown($offers)
  const trouble = useShown($walletTrouble)
  const [isBarePhone, setBarePhone] = useState(false)
  const isConnecting = status === 'connecting'
  const metaMask = metaMaskOffer()
  const isAsked = (wallet: string) => isConnecting && name === wallet

  useEffect(() => {
    if (isOpen) startDiscovery()
    else $walletTrouble.set('')
  }, [isOpen])
  useEffect(() => {
    const isPhone = matchMedia('(pointer: coarse)').matches
    setBarePhone(isOpen && isPhone && offers.length === 0 && !window.ethereum)
  }, [isOpen, offers])

  const close = () => {
    stopConnecting()
    $isDialogOpen.set(false)
  }
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="wallet-dialog-title"
      onCancel={stopConnecting}
      onClose={() => $isDialogOpen.set(false)}
    >
      <DialogHead id="wallet-dialog-title" title={t.wallet.title} close={t.close} onClose={close} />
      <p className="dialog-text">{t.wallet.lead}</p>
      <Stack>
        {isBarePhone && <AppLinks page={location.href} />}
        <button
          type="button"
          className="button"
          disabled={isAsked(metaMask?.info.name ?? 'MetaMask')}
          onClick={connectMetaMask}
        >
          {isAsked(metaMask?.info.name ?? 'MetaMask') ? <Busy /> : <span>{t.wallet.metaMask}</span>}
        </button>
        {offers
          .filter((offer) => offer !== metaMask)
          .map((offer) => (
            <button
              key={offer.info.uuid}
              type="button"
              className="button edged"
              disabled={isAsked(offer.info.name)}
              onClick={() => connectOffer(offer)}
            >
              <img src={safeIcon(offer.info.icon)} alt="" width="24" height="24" />
              <span>{offer.info.name}</span>
            </button>
          ))}
        {hasOtherWallets && (
          <button type="button" className="button edged" onClick={connectOther}>
            <Icon svg={phoneIcon} />
            <span>{t.wallet.other}</span>
          </button>
        )}
      </Stack>
      <p
        className={`${trouble && !isConnecting ? 'field-error' : 'muted size-14'} ${styles.state}`}
        role="status"
      >
        {isConnecting ? fill(t.wallet.answer, { wallet: name ?? t.wallet.yours }) : trouble}
      </p>
      <a className="hint" href={site.metaMaskUrl} target="_blank" rel="noreferrer">
        {t.wallet.download} <Icon svg={externalIcon} className={`small ${styles.inline}`} />
      </a>
    </dialog>
  )
}

const Busy = () => (
  <>
    <span className="busy-ring" />
    <span>{t.wallet.connecting}</span>
  </>
)

/** A phone's browser has no wallet, and a wallet's app has a browser: these links open this page there. */
function AppLinks({ page }: { page: string }) {
  return (
    <>
      <Muted size={15}>{t.wallet.apps}</Muted>
      {walletApps(page).map(({ name, url }) => (
        <a key={name} className="button" href={url}>
          <span>{fill(t.wallet.openIn, { wallet: name })}</span>
        </a>
      ))}
    </>
  )
}

/** As their makers document them; BNB Smart Chain is 20000714 in SLIP-44, OKX has a link in a link. @internal */
export function walletApps(page: string): { name: string; url: string }[] {
  const inside = encodeURIComponent(page)
  const ofOkx = encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${inside}`)
  return [
    { name: 'MetaMask', url: `https://link.metamask.io/dapp/${page.replace(/^https?:\/\//, '')}` },
    { name: 'Trust Wallet', url: `https://link.trustwallet.com/open_url?coin_id=20000714&url=${inside}` },
    { name: 'OKX Wallet', url: `https://web3.okx.com/download?deeplink=${ofOkx}` },
  ]
}

/** EIP-6963 icons are data URLs; any other URL would tell a third party who opened the page. */
const safeIcon = (icon: string) => (/^data:image\//.test(icon) ? icon : undefined)

const hasOtherWallets = Boolean(import.meta.env.PUBLIC_REOWN_PROJECT_ID)

/** Deadline for the QR code: without an answer AppKit itself would wait for ever. */
const deadlineMs = 12_000

/** Opens AppKit and connects the chosen wallet. Its window is not in the top layer, so ours closes first. */
async function connectOther(): Promise<void> {
  // Read here again, so that a build without a project leaves out AppKit.
  if (!import.meta.env.PUBLIC_REOWN_PROJECT_ID || isAsking()) return
  stopConnecting()
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), deadlineMs)
  const late = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(new Error('late')), { once: true })
  })
  $isDialogOpen.set(false)
  $wallet.set({ status: 'connecting', name: waitingName })
  try {
    const asked = import('./appkit.ts').then(({ askOtherWallet }) =>
      askOtherWallet({ signal: stop.signal, onCode: () => clearTimeout(timer) }),
    )
    const found = await Promise.race([asked, late])
    // The visitor may have stopped this wait, or chosen another wallet meanwhile.
    if (!isAsking()) return found?.provider.endSession?.()
    $wallet.set({ status: 'disconnected' })
    if (!found) return
    await connectFound(found.provider, found.name, otherWallet)
    if ($wallet.get().status !== 'connected') found.provider.endSession?.()
  } catch {
    if (!isAsking()) return
    $wallet.set({ status: 'disconnected' })
    $isDialogOpen.set(true)
    connectionFailed(t.wallet.otherLate)
  } finally {
    clearTimeout(timer)
  }
}

const waitingName = 'WalletConnect'
const isAsking = (): boolean => $wallet.get().status === 'connecting' && $wallet.get().name === waitingName
