import { useStore } from '@nanostores/react'
import { usdtOf } from '../../../../core/money.ts'
import { $prizes } from '../../live/live.ts'
import type { Answer } from '../../shell/answers.ts'
import { standingOf } from '../../winner/prizes.ts'
import { t } from '../language/t.ts'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { ListCard } from '../ui/card.tsx'
import { type Column, List } from '../ui/list.tsx'
import { Badge } from '../ui/Note.tsx'
import { useResource } from '../ui/resource.tsx'
import { PrizeFacts, standings } from './PrizeFacts.tsx'

export type DeskPrize = Answer<'get', '/api/admin/prizes'>[number]

/** Whose each prize is, what has to be done for it, and by when: for all events, the newest first. */
export function PrizeDesk() {
  // What the public is told changes with the desk's own list.
  const told = useStore($prizes)
  const key = JSON.stringify(told?.map(({ state, holder }) => [state, holder]))
  const found = useResource(() => call(() => api.prizes.get()), { everyMs: 20_000, key })
  return (
    <ListCard
      title={t('경품 관리')}
      reason={t(
        '받을 사람과 차례는 규칙이 정합니다. 여기에서는 발송을 기록하고, USDT 경품의 금액과 주소를 확인합니다.',
      )}
    >
      <List<DeskPrize>
        label={t('경품 관리')}
        from={found}
        idOf={({ eventNumber, place }) => `${eventNumber} ${place}`}
        columns={columns}
        marks={({ eventNumber, place }) => ({ 'data-desk-prize': `${eventNumber} ${place}` })}
        startsOpen={({ state }) => state === 'due' || state === 'claimed' || state === 'sent'}
        detail={(prize, reload) => <PrizeFacts prize={prize} onSaid={reload} />}
        empty={t('아직 발표된 경품이 없습니다.')}
      />
    </ListCard>
  )
}

const columns: Column<DeskPrize>[] = [
  {
    name: t('경품'),
    place: 'lead',
    cell: ({ eventNumber, place }) => t('이벤트 {eventNumber} · 경품 {place}번', { eventNumber, place }),
  },
  {
    name: t('종류'),
    cell: ({ units }) => (units === null ? t('배송하는 물건') : `${usdtOf(units)} USDT`),
  },
  {
    name: t('상태'),
    place: 'end',
    cell: (prize) => {
      const { tone, word } = standings[standingOf(prize)]
      return <Badge tone={tone}>{word}</Badge>
    },
  },
]
