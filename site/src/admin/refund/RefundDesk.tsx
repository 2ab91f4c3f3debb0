import { inKorea } from '../lib/dates.ts'
import { count, usdtColumn } from '../lib/numbers.ts'
import type { RefundBatch } from '../lib/types.ts'
import { useResource } from '../lib/use-resource.ts'
import { Badge } from '../parts/Badge.tsx'
import { DownloadButton } from '../parts/DownloadRow.tsx'
import { ListCard } from '../parts/Group.tsx'
import { Empty, Loaded } from '../parts/States.tsx'
import { Table } from '../parts/Table.tsx'
import { call } from '../stores/session.ts'

/** What is paid back: the batches so far and how far each has come. The signing of rows has its place here. */
export function RefundDesk() {
  const batches = useResource(() => call<RefundBatch[]>('GET', '/api/admin/refund-history'), {
    everyMs: 5_000,
  })
  return (
    <ListCard
      title="환불 묶음"
      reason="체인 기록으로만 만들어집니다. 주소마다 한 줄이며 두 번 환불되지 않습니다."
      actions={
        <DownloadButton
          method="POST"
          path="/api/admin/export/refund"
          fallbackName="refund.xlsx"
          failure="환불 대상 내보내기에 실패했습니다"
          label="대상 목록 받기"
          name="환불 대상 목록 받기"
        />
      }
    >
      <Loaded from={batches}>
        {(data) =>
          data.length === 0 ? (
            <Empty title="아직 준비된 환불이 없습니다." />
          ) : (
            <Table<RefundBatch>
              label="환불 묶음"
              rows={data}
              idOf={({ id }) => id}
              columns={[
                {
                  name: '대상',
                  cell: ({ kind, eventNumber }) =>
                    kind === 'event' ? `이벤트 ${eventNumber} 전액` : '티켓 없는 결제',
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
              ]}
            />
          )
        }
      </Loaded>
    </ListCard>
  )
}
