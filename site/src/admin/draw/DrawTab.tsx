import { useStore } from '@nanostores/react'
import { $now } from '../../live/clock.ts'
import { hasWinner } from '../../live/history.ts'
import { $live } from '../../live/live.ts'
import { apiBase } from '../../shell/api.ts'
import { t } from '../language/t.ts'
import { PrizeDesk } from '../prize/PrizeDesk.tsx'
import { api } from '../session/api.ts'
import { $event, $eventTrouble, loadEvent } from '../session/config.ts'
import { call } from '../session/session.ts'
import { Badge } from '../ui/Badge.tsx'
import { Body, ListCard } from '../ui/card.tsx'
import { type Column, Table } from '../ui/list.tsx'
import { Retry } from '../ui/Note.tsx'
import { SkeletonRows, useResource } from '../ui/resource.tsx'
import { AnchorCard } from './AnchorCard.tsx'
import { BeaconCard } from './BeaconCard.tsx'
import { ClaimCheck } from './ClaimCheck.tsx'
import { DrawDanger } from './DrawDanger.tsx'
import { type Condition, canDraw, drawConditions, nextCondition } from './draw-conditions.ts'
import { WinnerCard } from './WinnerCard.tsx'

export function DrawTab() {
  const event = useStore($event)
  const trouble = useStore($eventTrouble)
  const live = useStore($live)
  const now = useStore($now)
  // The live state that visitors get does not include freeze and anchor.
  const anchors = useResource(
    () => {
      void loadEvent()
      return call(() => api.raffle.anchor.get())
    },
    { everyMs: 4_000 },
  )
  if (!event)
    return trouble ? <Retry text={trouble} onRetry={() => void loadEvent()} /> : <SkeletonRows rows={6} />
  const state = anchors.data?.eventNumber === event.eventNumber ? anchors.data : undefined
  const conditions = drawConditions(event, live, state, now)
  const winner = hasWinner(live.winner) ? live.winner : undefined
  return (
    <>
      {winner ? (
        <WinnerCard winner={winner} drawn={live.winners ?? []} />
      ) : (
        <NextCard conditions={conditions} />
      )}
      <PrizeDesk />
      {live.config?.entropy === 'blocks+drand' && live.drawStatus && (
        <BeaconCard config={live.config} drawStatus={live.drawStatus} />
      )}
      <AnchorCard event={event} state={state} />
      <ClaimCheck eventNumber={event.eventNumber} />
      <DrawDanger event={event} isReady={canDraw(conditions)} winner={winner} />
      <p className="hint">
        {t('추첨 기록과 명단:')} <a href={`${apiBase}/api/raffle/changes`}>{t('공개 변경 기록')}</a>
        {event.frozenAt && (
          <>
            {' · '}
            <a href={`${apiBase}/api/raffle/ledger/${event.eventNumber}`}>{t('티켓 명단 파일')}</a>
          </>
        )}
      </p>
    </>
  )
}

/** What happens next, and when; all conditions behind it. */
function NextCard({ conditions }: { conditions: readonly Condition[] }) {
  const next = nextCondition(conditions)
  const needed = conditions.filter(({ isAdvice }) => !isAdvice)
  const met = needed.filter(({ state }) => state === 'passed').length
  return (
    <ListCard
      title={t('추첨 조건')}
      reason={t(
        '모두 충족되면 추첨할 수 있습니다. 추첨 블록은 추첨 시각으로 정해지므로, 언제 눌러도 결과는 같습니다.',
      )}
      actions={
        <Badge tone={!next ? 'ok' : next.state === 'failed' ? 'bad' : 'wait'}>
          {t('{all}개 중 {met}개 충족', { all: needed.length, met })}
        </Badge>
      }
    >
      <Body>
        <p>
          {next ? (
            <>
              <b>{t('다음: {name}', { name: next.name })}</b> {next.found}
            </>
          ) : (
            <b>{t('추첨할 수 있습니다.')}</b>
          )}
        </p>
        <details>
          <summary>{t('모든 조건 보기')}</summary>
          <Table<Condition>
            label={t('추첨 조건')}
            rows={conditions}
            idOf={({ name }) => name}
            columns={columns}
          />
        </details>
      </Body>
    </ListCard>
  )
}

const columns: Column<Condition>[] = [
  { name: t('조건'), place: 'lead', cell: ({ name }) => <b>{name}</b> },
  { name: t('내용'), cell: ({ found }) => found },
  {
    name: t('상태'),
    place: 'end',
    cell: ({ state, isAdvice }) =>
      state === 'passed' ? (
        <Badge tone="ok">{t('충족')}</Badge>
      ) : state === 'failed' ? (
        <Badge tone="bad">{t('불가')}</Badge>
      ) : (
        <Badge tone="held">{isAdvice ? t('선택') : t('대기')}</Badge>
      ),
  },
]
