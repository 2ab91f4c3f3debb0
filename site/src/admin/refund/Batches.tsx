import { Empty, Loaded } from '../frame/AsyncView.tsx'
import { api } from '../frame/api.ts'
import { Badge } from '../frame/Badge.tsx'
import { Button } from '../frame/Button.tsx'
import { inKorea } from '../frame/dates.ts'
import { ListCard } from '../frame/Group.tsx'
import { count, usdtColumn } from '../frame/numbers.ts'
import { call } from '../frame/session.ts'
import { Table } from '../frame/Table.tsx'
import type { RefundBatch } from '../frame/types.ts'
import { useResource } from '../frame/use-resource.ts'
import { openScope } from './desk-store.ts'

/** All batches with their progress, those of earlier events too. */
export function Batches({ isLocked }: { isLocked: boolean }) {
  const batches = useResource(() => call(() => api['refund-history'].get()), {
    everyMs: 8_000,
  })
  return (
    <ListCard title="환불 기록" reason="준비한 묶음마다 한 줄입니다. 지난 이벤트의 묶음도 여기서 엽니다.">
      <Loaded from={batches}>
        {(data) =>
          data.length === 0 ? (
            <Empty title="아직 준비된 환불이 없습니다." />
          ) : (
            <Table<RefundBatch>
              label="환불 기록"
              rows={data}
              idOf={({ id }) => id}
              columns={[
                {
                  name: '대상',
                  cell: ({ kind, eventNumber }) =>
                    kind === 'event' ? `이벤트 ${eventNumber} 전액` : `이벤트 ${eventNumber} 티켓 없는 결제`,
                },
                { name: '준비 시각 (한국)', cell: ({ createdAt }) => inKorea(createdAt) },
                {
                  name: '상태',
                  cell: ({ rows, settled }) => (
                    <Badge tone={rows === settled ? 'ok' : 'wait'}>
                      {rows === settled ? '완료' : '진행 중'}
                    </Badge>
                  ),
                },
                {
                  name: '주소',
                  isFigure: true,
                  cell: ({ rows, settled }) => `${count(settled)} / ${count(rows)}`,
                },
                {
                  name: '금액 (USDT)',
                  isFigure: true,
                  cell: ({ totalAmount, settledAmount }) =>
                    `${usdtColumn(settledAmount)} / ${usdtColumn(totalAmount)}`,
                },
                {
                  name: '보기',
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
                        열기
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
