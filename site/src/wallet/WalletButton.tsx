import walletIcon from 'lucide-static/icons/wallet.svg?raw'
import { shorten } from '../../../core/money.ts'
import { useShown } from '../shell/hooks.ts'
import { Icon } from '../shell/Icon.tsx'
import { island } from '../shell/island.tsx'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { WalletDialog } from './WalletDialog.tsx'
import styles from './wallet.module.css'
import { $isDialogOpen, $wallet, disconnect } from './wallet.ts'

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
