import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Address } from 'viem'
import { centsOf } from '../../../../core/money.ts'
import { showToast } from '../../shell/toast.ts'
import { isSameAddress } from '../../wallet/same-address.ts'
import { api } from '../frame/api.ts'
import { Button } from '../frame/Button.tsx'
import { confirm } from '../frame/confirm.ts'
import { inWords } from '../frame/dates.ts'
import { Wallet } from '../frame/HashText.tsx'
import { count, usdtColumn } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import { useAction } from '../frame/use-action.ts'
import { t } from '../language/t.ts'
import { refreshDesk } from './desk-store.ts'
import styles from './OtherWallets.module.css'
import { $signer, connectSigner, waiveBy } from './signing-store.ts'
import type { DeskSummary } from './types.ts'
import { WordForm } from './WordForm.tsx'

type OurWallet = DeskSummary['wallets'][number]

type Props = {
  wallets: readonly OurWallet[]
  /** A wallet that owes nothing may have paid more than these books know, and its key may be stolen. */
  isAnyAhead: boolean
  isLocked: boolean
}

/** Which of our wallets owe what the connected one may not pay, and the three ways on. */
export function OtherWallets({ wallets, isAnyAhead, isLocked }: Props) {
  const signer = useStore($signer)
  const others = wallets.filter(
    ({ address, dueUnits, lostAt }) =>
      (BigInt(dueUnits) > 0n || (isAnyAhead && lostAt === null)) && !isSameAddress(address, signer?.wallet),
  )
  if (!signer || others.length === 0) return null
  return (
    <section className={`card ${styles.others}`} aria-label={t('다른 지갑이 갚을 환불')}>
      <h2>{t('다른 지갑이 갚을 환불')}</h2>
      <p className="quiet">
        {t(
          '결제를 받은 지갑이 갚습니다. 다른 지갑이 대신 보내려면 먼저 그 지갑이 넘기거나, 그 지갑을 쓸 수 없게 되었다고 알려야 합니다.',
        )}
      </p>
      <ul>
        {others.map((wallet) => (
          <Other key={wallet.address} wallet={wallet} isLocked={isLocked} />
        ))}
      </ul>
    </section>
  )
}

function Other({ wallet, isLocked }: { wallet: OurWallet; isLocked: boolean }) {
  const { address, dueUnits, lostAt, isContract } = wallet
  const [isTelling, setTelling] = useState(false)
  const [connect, isConnecting] = useAction(t('지갑을 연결하지 못했습니다'), () => connectSigner(address))
  const [handOver, isHandingOver] = useAction(t('넘기지 못했습니다'), async () => {
    await connectSigner(address)
    const waived = await waiveBy(address, (debtors) => askToWaive(address, debtors))
    if (waived === 0) return
    showToast(t('넘기는 거래를 보냈습니다'), t('확정되면 다른 지갑이 대신 보낼 수 있습니다.'), 'good')
    await refreshDesk()
  })
  const isBusy = isConnecting || isHandingOver || isLocked
  return (
    <li>
      <p className={styles.owed}>
        <Wallet address={address} />
        <b className="figure">{usdtColumn(Number(centsOf(BigInt(dueUnits))))} USDT</b>
      </p>
      {lostAt ? (
        <p className="hint">
          {t('{lostAt}에 쓸 수 없게 되었다고 알린 지갑입니다. 연결한 지갑이 대신 보냅니다.', {
            lostAt: inWords(lostAt),
          })}
        </p>
      ) : (
        <>
          {isContract && (
            <p className="hint">{t('Safe입니다. 아래 ‘Safe로 지급’에서 파일을 받아 보냅니다.')}</p>
          )}
          <div className={styles.ways}>
            {!isContract && (
              <>
                <Button
                  need="refund.offer"
                  tone="edged"
                  size="small"
                  disabled={isBusy}
                  onClick={() => void connect()}
                >
                  {t('이 지갑 연결')}
                </Button>
                <Button
                  need="refund.offer"
                  tone="edged"
                  size="small"
                  disabled={isBusy}
                  onClick={() => void handOver()}
                >
                  {t('이 지갑에서 넘기기')}
                </Button>
              </>
            )}
            <Button
              need="refund.wallet-lost"
              tone="danger-edged"
              size="small"
              aria-expanded={isTelling}
              disabled={isBusy}
              onClick={() => setTelling(!isTelling)}
            >
              {t('키를 잃었습니다')}
            </Button>
          </div>
          {isTelling && <LostForm address={address} onDone={() => setTelling(false)} />}
        </>
      )}
    </li>
  )
}

const askToWaive = (address: Address, debtors: number): Promise<boolean> =>
  confirm({
    title: t('이 지갑에서 넘기기'),
    tone: 'danger',
    action: t('지갑에서 승인'),
    body: (
      <>
        <p>
          {t(
            '이 지갑이 {debtors}명에게 더는 지급하지 않는다고 환불 컨트랙트에 적습니다. 돈은 움직이지 않습니다.',
            { debtors: count(debtors) },
          )}
        </p>
        <p>
          {t('확정되면 다른 지갑이 대신 보낼 수 있습니다. 이 지갑의 컨트랙트 지급으로는 되돌릴 수 없습니다.')}
        </p>
      </>
    ),
    typed: {
      label: t('확인을 위해 {address}를 입력하세요', { address: address.slice(0, 6) }),
      value: address.slice(0, 6),
    },
  })

/** Nobody sends refunds from this wallet any more, so that others may. */
const LostForm = ({ address, onDone }: { address: Address; onDone: () => void }) => (
  <WordForm
    action={t('쓸 수 없는 지갑으로 기록')}
    onTell={async (note) => {
      await call(() => api.refunds.wallets.lost.post({ wallet: address, note }))
      showToast(t('기록했습니다'), t('다른 지갑이 이 지갑의 환불을 대신 보낼 수 있습니다.'), 'good')
      onDone()
      await refreshDesk()
    }}
  >
    {t(
      '이 지갑의 키를 잃었거나 도난당했다는 뜻입니다. 우리 누구도 이 지갑으로 환불을 보내지 않겠다고 약속합니다. 그 뒤 이 지갑에서 나간 환불은 다른 지갑이 보낸 것과 겹쳐 두 번 지급될 수 있습니다. 다른 지갑이 대신 지급하면 되돌릴 수 없고, 감사 기록에 남습니다.',
    )}
  </WordForm>
)
