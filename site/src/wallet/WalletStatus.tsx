import { shorten, usdt } from '../../../core/money.ts'
import { t } from '../texts/index.ts'
import { type Balances, bnbText } from './read-balances.ts'
import styles from './WalletStatus.module.css'
import { $isDialogOpen, type Wallet } from './wallet.ts'

type Props = { wallet: Wallet; balances: Balances | undefined }

/** First lines of the slip: the wallet that pays and its balances, or a button to choose one. */
export function WalletStatus({ wallet, balances }: Props) {
  const { status, isOnBsc, shown: address = wallet.address } = wallet
  return (
    <div className={styles.status}>
      <div>
        <span className="label">{t.wallet.label}</span>
        {status === 'connected' && address ? (
          <span className="figure" title={address}>
            <span className={`dot ${isOnBsc ? 'ok' : 'bad'}`} />
            {shorten(address, 6, 4)}
            {isOnBsc ? '' : ` · ${t.wallet.otherNetwork}`}
          </span>
        ) : (
          <span>
            <span className="dot" />
            {status === 'connecting' ? t.wallet.connecting : t.wallet.notConnected}
            {status === 'disconnected' && (
              <button type="button" className="button compact" onClick={() => $isDialogOpen.set(true)}>
                {t.wallet.choose}
              </button>
            )}
          </span>
        )}
      </div>
      <div>
        <span className="label">{t.wallet.balance}</span>
        <span className={`figure ${styles.balances}`} data-balances>
          <span>{balances ? usdt(balances.usdt / 10n ** 16n) : '–'} USDT</span>
          <span>{balances ? bnbText(balances.bnb) : '–'} BNB</span>
        </span>
      </div>
    </div>
  )
}
