import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { Retry, SkeletonRows } from '../frame/AsyncView.tsx'
import { api } from '../frame/api.ts'
import { ListCard } from '../frame/Group.tsx'
import { Note } from '../frame/Note.tsx'
import { call } from '../frame/session.ts'
import type { AdminConfig } from '../frame/types.ts'
import { useResource } from '../frame/use-resource.ts'
import { t } from '../language/t.ts'
import { Batches } from './Batches.tsx'
import { DustNote } from './DustNote.tsx'
import { $desk, $deskTrouble, $scope, openScope, refreshDesk } from './desk-store.ts'
import { OpenCalls } from './OpenCalls.tsx'
import { OtherWallets } from './OtherWallets.tsx'
import { PayerList } from './PayerList.tsx'
import { PrepareFirst, PrepareMore } from './Prepare.tsx'
import styles from './RefundDesk.module.css'
import { ScopeBar } from './ScopeBar.tsx'
import { SigningCard } from './SigningCard.tsx'
import { Steps } from './Steps.tsx'
import { $run, isRunning } from './signing-store.ts'
import { Totals } from './Totals.tsx'
import type { DeskAnswer, DeskRow, DeskScope } from './types.ts'
import { Unallocated } from './Unallocated.tsx'
import { UnknownOutcomes } from './UnknownOutcomes.tsx'
import { WalletWords } from './WalletWords.tsx'

/** Every payer is refunded the exact amount once: shows what is owed, what is signed and what is on chain. */
export function RefundDesk({ event }: { event: AdminConfig }) {
  const scope = useStore($scope)
  const desk = useStore($desk)
  const trouble = useStore($deskTrouble)
  const run = useStore($run)
  const history = useResource(() => call(() => api.raffle.history.get()))
  const { eventNumber, isRefundMode } = event
  useEffect(() => {
    if (!isRunning($run.get()) && (isRefundMode || !$scope.get()))
      openScope({ kind: isRefundMode ? 'event' : 'leftover', eventNumber })
  }, [eventNumber, isRefundMode])
  if (!scope) return <SkeletonRows rows={6} />
  const known = history.data?.map((record) => record.eventNumber) ?? []
  const events = [...new Set([scope.eventNumber, eventNumber, ...known])].sort((a, b) => b - a)
  const isLocked = isRunning(run)
  return (
    <div className={styles.desk} id="refund-desk">
      <ScopeBar scope={scope} events={events} isLocked={isLocked} />
      {trouble && <Retry text={trouble} onRetry={() => void refreshDesk()} />}
      {desk ? <Open desk={desk} scope={scope} /> : !trouble && <SkeletonRows rows={6} />}
      <Batches isLocked={isLocked} />
    </div>
  )
}

function Open({ desk, scope }: { desk: DeskAnswer; scope: DeskScope }) {
  const run = useStore($run)
  const { summary, rows } = desk
  const isOwn = run?.scope.kind === scope.kind && run.scope.eventNumber === scope.eventNumber
  const asked = new Set(isOwn && run.phase === 'wallet' ? run.current.map(({ id }) => id) : [])
  const byRegister = rows.filter(isOpenCall)
  const unknown = rows.filter(
    (row) => row.state === 'offered' && !asked.has(row.id) && !byRegister.includes(row),
  )
  return (
    <>
      {summary.isPaused && (
        <Note tone="bad">{t('환불이 일시 중지되어 있습니다. 운영 설정(REFUNDS_PAUSED)을 확인하세요.')}</Note>
      )}
      {!summary.isWatching && (
        <Note tone="bad">
          {t('체인에서 나간 전송을 최근에 확인하지 못했습니다. 확인될 때까지 아무것도 보내지 않습니다.')}
        </Note>
      )}
      {rows.length > 0 && <Totals desk={desk} asked={asked.size} />}
      <div className={rows.length > 0 ? styles.columns : undefined}>
        {rows.length > 0 && (
          <div className={styles.side}>
            <SigningCard desk={desk} />
            <OtherWallets
              wallets={summary.wallets}
              isAnyAhead={rows.some(({ reason }) => reason === 'ahead')}
              isLocked={isRunning(run)}
            />
            <WalletWords wallets={summary.wallets} />
            <Steps scope={scope} summary={summary} />
          </div>
        )}
        <ListCard
          title={t('환불 대상')}
          reason={t(
            '체인 기록으로만 만들어집니다. 이벤트의 모든 묶음에서 주소마다 한 줄이며 두 번 환불되지 않습니다.',
          )}
        >
          {rows.length > 0 && <PrepareMore scope={scope} summary={summary} />}
          <DustNote rows={rows} />
          <OpenCalls rows={byRegister} isRunning={isRunning(run)} />
          <UnknownOutcomes rows={unknown} isRunning={isRunning(run)} />
          {rows.length === 0 ? (
            <PrepareFirst scope={scope} summary={summary} />
          ) : (
            <PayerList key={scope.eventNumber} eventNumber={scope.eventNumber} asked={asked} />
          )}
        </ListCard>
      </div>
      <Unallocated transfers={summary.unallocated} />
    </>
  )
}

/** Handed to a wallet as a call of the register, which has not come to its end. */
const isOpenCall = ({ state, offeredPath }: DeskRow): boolean =>
  offeredPath === 'register' && (state === 'offered' || state === 'sent')
