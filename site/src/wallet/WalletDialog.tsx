import { useStore } from '@nanostores/react'
import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import phoneIcon from 'lucide-static/icons/smartphone.svg?raw'
import closeIcon from 'lucide-static/icons/x.svg?raw'
import { useEffect, useRef } from 'react'
import { site } from '../content/site.ts'
import { Icon } from '../shell/Icon.tsx'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { connectOther, hasOtherWallets } from './other-wallets.ts'
import styles from './WalletDialog.module.css'
import {
  $isDialogOpen,
  $offers,
  $wallet,
  $walletTrouble,
  connectMetaMask,
  connectOffer,
  startDiscovery,
  type Wallet,
} from './wallet.ts'

const atFirst: Wallet = { status: 'disconnected' }

export function WalletDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = useStore($isDialogOpen, { ssr: () => false })
  const { status, name } = useStore($wallet, { ssr: () => atFirst })
  const offers = useStore($offers, { ssr: () => [] })
  const trouble = useStore($walletTrouble, { ssr: () => '' })
  const isConnecting = status === 'connecting'

  useEffect(() => {
    if (isOpen) startDiscovery()
    if (isOpen && !dialog.current?.open) dialog.current?.showModal()
    if (isOpen) return
    $walletTrouble.set('')
    dialog.current?.close()
  }, [isOpen])

  const others = offers.filter(({ info }) => info.rdns !== 'io.metamask')
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="wallet-dialog-title"
      onClose={() => $isDialogOpen.set(false)}
    >
      <div className="dialog-head">
        <h2 id="wallet-dialog-title">{t.wallet.title}</h2>
        <button type="button" className="close" aria-label={t.close} onClick={() => $isDialogOpen.set(false)}>
          <Icon svg={closeIcon} />
        </button>
      </div>
      <p className="dialog-text">{t.wallet.lead}</p>
      <button
        type="button"
        className={`button ${styles.choice}`}
        disabled={isConnecting}
        onClick={connectMetaMask}
      >
        {isConnecting && <span className="busy-ring" />}
        {isConnecting ? t.wallet.connecting : t.wallet.metaMask}
      </button>
      {others.map((offer) => (
        <button
          key={offer.info.rdns}
          type="button"
          className={`button edged ${styles.choice}`}
          disabled={isConnecting}
          onClick={() => connectOffer(offer)}
        >
          <img src={safeIcon(offer.info.icon)} alt="" width="24" height="24" />
          {offer.info.name}
        </button>
      ))}
      {hasOtherWallets && (
        <button
          type="button"
          className={`button edged ${styles.choice}`}
          disabled={isConnecting}
          onClick={connectOther}
        >
          <Icon svg={phoneIcon} />
          {t.wallet.other}
        </button>
      )}
      <p
        className={trouble && !isConnecting ? `${styles.state} ${styles.trouble}` : styles.state}
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

/** EIP-6963 icons are data URLs; any other URL would tell a third party who opened the page. */
const safeIcon = (icon: string) => (/^data:image\//.test(icon) ? icon : undefined)
