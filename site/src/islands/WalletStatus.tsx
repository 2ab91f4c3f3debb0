import { shorten } from '../../../core/format.ts'
import { $isDialogOpen, type Wallet } from '../stores/wallet.ts'
import { t } from '../texts/index.ts'

/** First line of the slip: which wallet pays, or a way to choose one. */
export function WalletStatus({ wallet }: { wallet: Wallet }) {
  const { status, address, isOnBsc } = wallet
  return (
    <div className="wallet-status">
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
  )
}
