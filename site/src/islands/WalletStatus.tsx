import { shorten } from '../../../core/format.ts'
import { $isDialogOpen, type Wallet } from '../stores/wallet.ts'

/** First line of the slip: which wallet pays, or a way to choose one. */
export function WalletStatus({ wallet }: { wallet: Wallet }) {
  const { status, address, isOnBsc } = wallet
  return (
    <div className="wallet-status">
      <span className="label">Wallet</span>
      {status === 'connected' && address ? (
        <span className="figure" title={address}>
          <span className={`dot ${isOnBsc ? 'ok' : 'bad'}`} />
          {shorten(address, 6, 4)}
          {isOnBsc ? '' : ' · other network'}
        </span>
      ) : (
        <span>
          <span className="dot" />
          {status === 'connecting' ? 'Connecting...' : 'Not connected'}
          {status === 'disconnected' && (
            <button type="button" className="button compact" onClick={() => $isDialogOpen.set(true)}>
              Choose wallet
            </button>
          )}
        </span>
      )}
    </div>
  )
}
