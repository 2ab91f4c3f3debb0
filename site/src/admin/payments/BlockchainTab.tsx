import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { $event, loadEvent } from '../session/config.ts'
import { call } from '../session/session.ts'
import { SolvencyCard } from '../solvency/SolvencyCard.tsx'
import { type Action, ActionButton } from '../ui/action.tsx'
import { Group } from '../ui/card.tsx'
import { Entry } from '../ui/entry.tsx'
import { count } from '../ui/format.ts'
import { Note } from '../ui/Note.tsx'
import { PaymentsWithoutTicket } from './PaymentsWithoutTicket.tsx'
import { PipelineCard } from './PipelineCard.tsx'

export function BlockchainTab() {
  return (
    <>
      <SalesHalt />
      <ManualTransaction />
      <PipelineCard />
      <SolvencyCard />
      <PaymentsWithoutTicket />
    </>
  )
}

const resume: Action = {
  name: t('판매 재개'),
  failure: t('판매를 재개하지 못했습니다'),
  ask: () => ({
    title: t('판매 재개'),
    action: t('판매 재개'),
    body: t(
      '티켓 명단을 체인에서 다시 만들었습니다. 변경 기록을 확인했다면 판매와 추첨을 다시 열 수 있습니다.',
    ),
  }),
  run: () => call(() => api.raffle.resume.post()),
  told: () => [t('판매를 재개했습니다'), t('구매와 추첨이 다시 열렸습니다.')],
  writes: true,
  tone: 'ink',
}

/** Shown while sales are paused because the ticket list had to be rebuilt. */
function SalesHalt() {
  if (!useStore($event)?.isHalted) return null
  return (
    <Note tone="bad" role="alert" action={<ActionButton action={resume} onDone={loadEvent} />}>
      <b>{t('판매가 멈춰 있습니다.')}</b> {t('이미 읽은 블록이 바뀌어 티켓 명단을 다시 만들었습니다.')}{' '}
      {t('공개 변경 기록에 남았습니다.')}
    </Note>
  )
}

type Result = { hash: string; tickets: number }

/** A payment that a buyer reported by mail. The amount and the payer come only from the chain. */
function ManualTransaction() {
  const [result, setResult] = useState<Result>()
  const ticketsText = (tickets: number) =>
    t('티켓 {tickets}장이 발급되었습니다.', { tickets: count(tickets) })
  return (
    <Group
      title={t('수동 거래 처리')}
      reason={t(
        '구매자가 이메일로 보낸 거래 해시를 확인합니다. 금액과 티켓 수는 체인에서 읽으며, 이미 처리된 거래는 다시 처리되지 않습니다.',
      )}
    >
      <Entry<Result>
        label={t('거래 해시')}
        hint={t('0x로 시작하는 64자리 16진수입니다. 앞뒤 공백은 무시됩니다.')}
        busyHint={t('체인에서 확정을 기다리고 있습니다. 최대 10초가 걸립니다.')}
        placeholder="0x…"
        missing={t('거래 해시를 입력해주세요')}
        isMono
        action={{
          name: t('거래 처리'),
          failure: t('거래 처리에 실패했습니다'),
          async run(hash) {
            setResult(undefined)
            const body = { transactionHash: hash }
            const { ticketsCreated } = await call(() => api.blockchain['process-transaction'].post(body))
            return { hash, tickets: ticketsCreated }
          },
          told: (_, { tickets }) => [t('거래를 처리했습니다'), ticketsText(tickets)],
          writes: true,
        }}
        onDone={setResult}
      />
      {result && (
        <Note role="status">
          <b>{ticketsText(result.tickets)}</b>{' '}
          <span className="figure break" translate="no">
            {result.hash}
          </span>
        </Note>
      )}
    </Group>
  )
}
