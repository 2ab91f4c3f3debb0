import type { Hex } from 'viem'
import { showToast } from '../../shell/toast.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { loadEvent } from '../session/config.ts'
import { call, isReadOnly } from '../session/session.ts'
import type { AdminConfig } from '../session/types.ts'
import { WalletSignature } from '../ui/WalletSignature.tsx'
import styles from './ProveWallet.module.css'

/** Proof that somebody holds the key: a signature by a wallet in this browser, or one made elsewhere. */
export function ProveWallet({ event }: { event: AdminConfig }) {
  const prove = async (signature: Hex) => {
    await call(() => api.raffle['prove-wallet'].post({ signature }))
    showToast(t('지갑을 확인했습니다'), t('이 지갑의 키를 가진 사람이 서명했습니다.'), 'good')
    await loadEvent()
  }
  return (
    <div className={styles.prove}>
      <p className={styles.warn}>
        <span className="dot wait" />
        {t('아직 서명으로 확인되지 않은 지갑입니다. 잘못 적은 주소가 아닌지 판매 전에 확인하세요.')}
      </p>
      {!isReadOnly() && (
        <WalletSignature
          wallet={event.operatorWallet ?? ''}
          message={event.walletProofMessage}
          onSigned={prove}
        />
      )}
    </div>
  )
}
