import { useStore } from '@nanostores/react'
import pauseIcon from 'lucide-static/icons/pause.svg?raw'
import walletIcon from 'lucide-static/icons/wallet.svg?raw'
import { useEffect, useState } from 'react'
import type { Address } from 'viem'
import { shorten } from '../../../../core/format.ts'
import { centsOf, unitsText } from '../../../../core/money.ts'
import { Button } from '../frame/Button.tsx'
import { Wallet } from '../frame/HashText.tsx'
import { count, usdtColumn } from '../frame/numbers.ts'
import { useAction } from '../frame/use-action.ts'
import { rich } from '../language/rich.tsx'
import { t } from '../language/t.ts'
import { dueFrom, readyRows } from './desk-store.ts'
import { Obstacles } from './Obstacles.tsx'
import { PathChoice } from './PathChoice.tsx'
import { RunState } from './RunState.tsx'
import styles from './SigningCard.module.css'
import {
  $run,
  $signer,
  connectSigner,
  isRunning,
  leaveWallet,
  pauseSigning,
  refreshSigner,
  startSigning,
} from './signing-store.ts'
import type { DeskAnswer, DeskSummary } from './types.ts'

/** Checks the account, the chain and the balances, then sends one request after another to the wallet. */
export function SigningCard({ desk }: { desk: DeskAnswer }) {
  const signer = useStore($signer)
  const run = useStore($run)
  const { summary, rows } = desk
  const ready = signer ? readyRows(rows, signer.wallet) : []
  const isBusy = isRunning(run)
  const left = signer && ready.map((row) => `${row.id} ${dueFrom(row, signer.wallet)}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the wallet can sign decides how much money is needed
  useEffect(() => {
    if (!isBusy) void refreshSigner()
  }, [left, isBusy])
  const isClosed = summary.isPaused || !summary.isWatching
  const hasBegun = rows.some(({ state }) => state !== 'planned')
  return (
    <section className={`card ${styles.signing}`} aria-label={t('서명')}>
      <h2>{t('서명 지갑')}</h2>
      {signer ? (
        <dl className="summary">
          <Fact name={t('운영자 지갑')}>
            <Wallet address={signer.wallet} />
          </Fact>
          <Fact name={t('잔액 (USDT)')}>{signer.facts ? inUsdt(signer.facts.usdt) : '–'}</Fact>
          <Fact name={t('보낼 금액 (USDT)')}>{signer.facts ? inUsdt(signer.facts.owed) : '–'}</Fact>
          <Fact name={t('잔액 (BNB)')}>{signer.facts ? unitsText(signer.facts.bnb, 4) : '–'}</Fact>
          <Fact name={t('최대 수수료 (BNB)')}>{signer.facts ? unitsText(signer.facts.fees, 6) : '–'}</Fact>
        </dl>
      ) : (
        <Connect wallets={summary.wallets} preferred={summary.operatorWallet} isDisabled={isClosed} />
      )}
      {signer && !isBusy && <Obstacles signer={signer} />}
      {run && <RunState run={run} />}
      {signer && ready.length > 0 && !isBusy && (
        <PathChoice
          signer={signer}
          rows={ready.length}
          registerOnly={summary.wallets.some(
            ({ address, registerOnly, unheardUntil }) =>
              unheardUntil !== null || (registerOnly && address === signer.wallet),
          )}
        />
      )}
      {signer && isBusy ? (
        <div className={styles.actions}>
          <Button tone="edged" icon={pauseIcon} disabled={run?.isPausing} onClick={pauseSigning}>
            {run?.isPausing ? t('멈추는 중') : t('일시 중지')}
          </Button>
          {run?.phase === 'wallet' && (
            <Button tone="plain" size="small" onClick={leaveWallet}>
              {t('답을 기다리지 않기')}
            </Button>
          )}
        </div>
      ) : (
        signer &&
        (ready.length === 0 ? (
          <p className="quiet">{t('지금 승인할 환불이 없습니다.')}</p>
        ) : (
          <div className={styles.actions}>
            <Button
              need="refund.offer"
              tone="gold"
              icon={walletIcon}
              disabled={isClosed || (signer.facts?.obstacles.length ?? 1) > 0}
              onClick={() => startSigning()}
            >
              {hasBegun
                ? t('이어서 {count}건 지갑에서 승인', { count: count(ready.length) })
                : t('{count}건 지갑에서 승인', { count: count(ready.length) })}
            </Button>
            <p className="hint">
              {t('새로 고쳐도 진행 상태가 남습니다. 끝날 때까지 이 지갑에서 직접 보내지 마세요.')}
            </p>
          </div>
        ))
      )}
    </section>
  )
}

type ConnectProps = {
  wallets: DeskSummary['wallets']
  preferred: Address | null
  isDisabled: boolean
}

function Connect({ wallets, preferred, isDisabled }: ConnectProps) {
  const open = wallets.filter(({ lostAt }) => lostAt === null)
  const usable = open.filter(({ isContract }) => !isContract)
  const [picked, setChosen] = useState<Address>()
  // The wallet of the event, else the one that owes most.
  const [most] = usable.toSorted(
    (a, b) => Number(b.address === preferred) - Number(a.address === preferred) || moreDue(a, b),
  )
  const chosen = usable.find(({ address }) => address === picked)?.address ?? most?.address
  const [connect, isBusy] = useAction(t('지갑을 연결하지 못했습니다'), async () => {
    if (chosen) await connectSigner(chosen)
  })
  if (!chosen)
    return (
      <p className="quiet">
        {open.length > 0
          ? t('Safe 지갑은 연결하지 않습니다. 아래 ‘Safe로 지급’에서 파일을 받으세요.')
          : t('운영자 지갑이 설정되지 않았습니다.')}
      </p>
    )
  return (
    <div className={styles.actions}>
      {usable.length > 1 ? (
        <label className={styles.wallet}>
          {t('보낼 지갑')}
          <select
            className="input figure"
            value={chosen}
            onChange={(event) => setChosen(event.target.value as Address)}
          >
            {usable.map(({ address, dueUnits }) => (
              <option key={address} value={address}>
                {`${shorten(address, 6, 4)}, ${inUsdt(BigInt(dueUnits))} USDT`}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <p className="quiet">
          {rich('{chosen} 계정으로 연결하세요. 다른 계정으로는 보낼 수 없습니다.', {
            chosen: <Wallet address={chosen} />,
          })}
        </p>
      )}
      <Button
        need="refund.offer"
        icon={walletIcon}
        isBusy={isBusy}
        disabled={isDisabled}
        onClick={() => void connect()}
      >
        {t('운영자 지갑 연결')}
      </Button>
    </div>
  )
}

const moreDue = (a: { dueUnits: string }, b: { dueUnits: string }): number =>
  BigInt(a.dueUnits) < BigInt(b.dueUnits) ? 1 : -1
const inUsdt = (units: bigint): string => usdtColumn(Number(centsOf(units)))

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
