import { type ReactNode, useState } from 'react'
import type { Address } from 'viem'
import { showToast } from '../../shell/toast.ts'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { inWords } from '../frame/dates.ts'
import { Wallet } from '../frame/HashText.tsx'
import { call } from '../frame/session.ts'
import { rich } from '../language/rich.tsx'
import { t } from '../language/t.ts'
import { refreshDesk } from './desk-store.ts'
import styles from './OtherWallets.module.css'
import type { DeskSummary } from './types.ts'
import { WordForm } from './WordForm.tsx'

/** Wallets that may not pay, or not by every way, and the word that ends it; also where no wallet is connected. */
export function WalletWords({ wallets }: { wallets: DeskSummary['wallets'] }) {
  const lost = wallets.filter(({ lostAt }) => lostAt !== null)
  const unheard = wallets.filter(({ unheardUntil }) => unheardUntil !== null)
  if (lost.length + unheard.length === 0) return null
  return (
    <section className={`card ${styles.others}`} aria-label={t('제한된 지갑')}>
      <h2>{t('제한된 지갑')}</h2>
      <ul>
        {lost.map(({ address, lostAt }) => (
          <Lost key={address} address={address} since={lostAt as string} />
        ))}
        {unheard.map(({ address, unheardUntil }) => (
          <Unheard key={address} address={address} until={unheardUntil as string} />
        ))}
      </ul>
    </section>
  )
}

function Lost({ address, since }: { address: Address; since: string }) {
  return (
    <LimitedWallet
      address={address}
      state={t('{since}에 쓸 수 없게 되었다고 알린 지갑입니다. 이 지갑으로는 보내지 않습니다.', {
        since: inWords(since),
      })}
      ask={t('키를 되찾았습니다')}
      action={t('다시 쓸 수 있는 지갑으로 기록')}
      isGood
      done={t('이 지갑이 갚을 환불은 다시 이 지갑이 보냅니다.')}
      onTell={(note) => call(() => api.refunds.wallets.found.post({ wallet: address, note }))}
    >
      {t(
        '잃었다는 기록을 취소합니다. 다른 지갑이 이 지갑의 환불을 아직 지급하지 않았고 지갑에 넘기지도 않았을 때만 됩니다. 키를 도난당했다면 취소하지 마세요.',
      )}
    </LimitedWallet>
  )
}

function Unheard({ address, until }: { address: Address; until: string }) {
  return (
    <LimitedWallet
      address={address}
      state={rich(
        '백업에서 되살린 데이터베이스라 이 지갑에 넘긴 호출을 모두 알지 못합니다. {until}까지 환불 컨트랙트로만 보낼 수 있고, 다른 지갑이 대신 보내거나 받는 주소를 바꿀 수 없습니다.',
        { until: <b>{t('{until} (한국)', { until: inWords(until) })}</b> },
      )}
      ask={t('넘긴 호출이 없습니다')}
      action={t('모르는 호출이 없다고 기록')}
      done={t('이 지갑의 제한이 풀렸습니다.')}
      onTell={(note) => call(() => api.refunds.wallets.heard.post({ wallet: address, note }))}
    >
      {t(
        '백업을 만든 뒤에 이 지갑에서 승인한 환불도, 받아 둔 Safe 파일도 없다는 뜻입니다. 하나라도 남아 있으면 같은 환불이 두 번 지급될 수 있습니다. 확실하지 않으면 그때까지 기다리세요. 되돌릴 수 없고 감사 기록에 남습니다.',
      )}
    </LimitedWallet>
  )
}

type LimitedProps = {
  address: Address
  /** Since or until when, and what the wallet may not do. */
  state: ReactNode
  /** What the administrator says to open the form. */
  ask: string
  action: string
  isGood?: boolean
  done: string
  onTell: (note: string) => Promise<unknown>
  children: string
}

/** One wallet, what limits it, and the form that ends the limit. */
function LimitedWallet({ address, state, ask, action, isGood, done, onTell, children }: LimitedProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <p className={styles.owed}>
        <Wallet address={address} />
      </p>
      <p className="hint">{state}</p>
      <div className={styles.ways}>
        <Button
          need="refund.wallet-lost"
          tone="edged"
          size="small"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {ask}
        </Button>
      </div>
      {isOpen && (
        <WordForm
          action={action}
          {...(isGood && { isGood })}
          onTell={async (note) => {
            await onTell(note)
            showToast(t('기록했습니다'), done, 'good')
            await refreshDesk()
          }}
        >
          {children}
        </WordForm>
      )}
    </li>
  )
}
