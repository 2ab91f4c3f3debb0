import { useStore } from '@nanostores/react'
import { Empty, Loaded } from '../frame/AsyncView.tsx'
import { api } from '../frame/api.ts'
import { Badge } from '../frame/Badge.tsx'
import { Button } from '../frame/Button.tsx'
import { inWords } from '../frame/dates.ts'
import { ListCard } from '../frame/Group.tsx'
import { count, usdtColumn } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import { Table } from '../frame/Table.tsx'
import type { RefundBatch } from '../frame/types.ts'
import { useResource } from '../frame/use-resource.ts'
import { t } from '../language/t.ts'
import { $desk, openScope } from './desk-store.ts'

/** All batches with their progress, those of earlier events too. */
export function Batches({ isLocked }: { isLocked: boolean }) {
  // What the desk above says of its batch, that line says at once too.
  const { rows = [] } = useStore($desk) ?? {}
  const settled = rows.filter(({ state }) => state === 'settled').length
  const batches = useResource(() => call(() => api['refund-history'].get()), {
    everyMs: 8_000,
    key: `${rows.length} ${settled}`,
  })
  return (
    <ListCard
      title={t('환불 기록')}
      reason={t('준비한 묶음마다 한 줄입니다. 지난 이벤트의 묶음도 여기서 엽니다.')}
    >
      <Loaded from={batches}>
        {(data) =>
          data.length === 0 ? (
            <Empty title={t('아직 준비된 환불이 없습니다.')} />
          ) : (
            <Table<RefundBatch>
              label={t('환불 기록')}
              rows={data}
              idOf={({ id }) => id}
              columns={[
                {
                  name: t('대상'),
                  cell: ({ kind, eventNumber }) =>
                    kind === 'event'
                      ? t('이벤트 {eventNumber} 전액', { eventNumber: eventNumber ?? '–' })
                      : t('이벤트 {eventNumber} 티켓 없는 결제', { eventNumber: eventNumber ?? '–' }),
                },
                { name: t('준비 시각 (한국)'), cell: ({ createdAt }) => inWords(createdAt) },
                {
                  name: t('상태'),
                  cell: ({ rows, settled }) => (
                    <Badge tone={rows === settled ? 'ok' : 'wait'}>
                      {rows === settled ? t('완료') : t('진행 중')}
                    </Badge>
                  ),
                },
                {
                  name: t('주소'),
                  isFigure: true,
                  cell: ({ rows, settled }) => `${count(settled)} / ${count(rows)}`,
                },
                {
                  name: t('금액 (USDT)'),
                  isFigure: true,
                  cell: ({ totalAmount, settledAmount }) =>
                    `${usdtColumn(settledAmount)} / ${usdtColumn(totalAmount)}`,
                },
                {
                  name: t('보기'),
                  cell: ({ kind, eventNumber }) =>
                    eventNumber !== null && (
                      <Button
                        tone="edged"
                        size="compact"
                        disabled={isLocked}
                        onClick={() => {
                          openScope({ kind, eventNumber })
                          document.getElementById('refund-desk')?.scrollIntoView()
                        }}
                      >
                        {t('열기')}
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </ListCard>
  )
}
