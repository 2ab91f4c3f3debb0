import { useState } from 'react'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { SalesCard } from '../sales/SalesCard.tsx'
import { api, call } from '../session/session.ts'
import { ListCard } from '../ui/card.tsx'
import { DownloadButton, type FileProps } from '../ui/download.tsx'
import { Table } from '../ui/list.tsx'
import { useResource } from '../ui/resource.tsx'
import { Select } from '../ui/select.tsx'

export const DataTab = () => (
  <>
    <ListCard
      title={t('내보내기')}
      reason={t('받는 순간의 기록으로 만듭니다. 큰 파일은 만드는 동안에도 조금씩 내려받습니다.')}
    >
      <Table<FileRow>
        label={t('내보내기')}
        rows={files}
        idOf={({ title }) => title}
        columns={[
          { name: t('파일'), place: 'lead', cell: ({ title }) => <b>{title}</b> },
          { name: t('내용'), cell: ({ text }) => text },
          {
            name: t('작업'),
            place: 'last',
            cell: ({ title, file }) =>
              file ? (
                <DownloadButton {...file} label={t('엑셀 받기')} name={t('{title} 엑셀 받기', { title })} />
              ) : (
                <EventExport />
              ),
          },
        ]}
      />
    </ListCard>
    <SalesCard />
  </>
)

export const historyFile: FileProps = {
  ...{ method: 'POST', path: '/api/admin/export/history', fallbackName: 'draw-history.xlsx' },
  failure: t('추첨 기록 내보내기에 실패했습니다'),
}
export const refundFile: FileProps = {
  ...{ method: 'POST', path: '/api/admin/export/refund', fallbackName: 'refund.xlsx' },
  failure: t('환불 대상 내보내기에 실패했습니다'),
}
export const eventFile = (eventNumber: number): FileProps => ({
  ...{ method: 'GET', path: `/api/admin/export/excel/event/${eventNumber}` },
  fallbackName: `event-${eventNumber}.xlsx`,
  failure: t('이벤트 엑셀 다운로드에 실패했습니다'),
})
const ticketsFile: FileProps = {
  ...{ method: 'GET', path: '/api/tickets/export/excel', fallbackName: 'tickets.xlsx' },
  failure: t('엑셀 다운로드에 실패했습니다'),
}

type FileRow = { title: string; text: string; file?: FileProps }

const files: FileRow[] = [
  {
    title: t('티켓 목록'),
    text: t('진행 중인 이벤트의 티켓입니다. 결제마다 한 줄이며, 누구나 받을 수 있는 공개 자료입니다.'),
    file: ticketsFile,
  },
  {
    title: t('추첨 기록'),
    text: t('모든 이벤트의 추첨 일시, 당첨자, 난수, 명단 해시입니다.'),
    file: historyFile,
  },
  {
    title: t('환불 대상'),
    text: t(
      '돌려줄 돈이 있는 지갑마다 한 줄입니다. 돌려줄 금액, 돌려준 금액, 상태, 마지막 거래가 들어 있습니다.',
    ),
    file: refundFile,
  },
  { title: t('이벤트별 결제'), text: t('티켓이 없는 결제까지 모두 들어 있습니다.') },
]

function EventExport() {
  const records = useResource(() => call(() => api.raffle.history.get()))
  const numbers = (records.data ?? []).map(({ eventNumber }) => eventNumber)
  const [wanted, setWanted] = useState<number>()
  const chosen = wanted ?? numbers[0]
  if (chosen === undefined) return <span className="muted">{records.data && t('이벤트가 없습니다.')}</span>
  return (
    <Row gap={8} whole>
      <Select
        isCompact
        label={t('이벤트')}
        value={`${chosen}`}
        options={numbers.map((number) => [`${number}`, t('이벤트 {number}', { number })] as const)}
        onChange={(value) => setWanted(Number(value))}
      />
      <DownloadButton
        {...eventFile(chosen)}
        label={t('엑셀 받기')}
        name={t('이벤트 {chosen} 결제 엑셀 받기', { chosen })}
      />
    </Row>
  )
}
