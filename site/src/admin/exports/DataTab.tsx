import { useState } from 'react'
import { t } from '../language/t.ts'
import { SalesCard } from '../sales/SalesCard.tsx'
import { api } from '../session/api.ts'
import { call } from '../session/session.ts'
import { Loaded } from '../ui/AsyncView.tsx'
import { DownloadButton, DownloadRow } from '../ui/DownloadRow.tsx'
import { ListCard } from '../ui/Group.tsx'
import listStyles from '../ui/List.module.css'
import rowStyles from '../ui/Rows.module.css'
import { Select } from '../ui/select.tsx'
import { useResource } from '../ui/use-resource.ts'
import styles from './DataTab.module.css'

export function DataTab() {
  const records = useResource(() => call(() => api.raffle.history.get()))
  return (
    <>
      <SalesCard />
      <ListCard
        title={t('내보내기')}
        reason={t('받는 순간의 기록으로 만듭니다. 큰 파일은 만드는 동안에도 조금씩 내려받습니다.')}
      >
        <ul className={styles.rows}>
          <DownloadRow
            title={t('티켓 목록')}
            method="GET"
            path="/api/tickets/export/excel"
            fallbackName="tickets.xlsx"
            failure={t('엑셀 다운로드에 실패했습니다')}
          >
            {t('진행 중인 이벤트의 티켓입니다. 결제마다 한 줄이며, 누구나 받을 수 있는 공개 자료입니다.')}
          </DownloadRow>
          <DownloadRow
            title={t('추첨 기록')}
            method="POST"
            path="/api/admin/export/history"
            fallbackName="draw-history.xlsx"
            failure={t('추첨 기록 내보내기에 실패했습니다')}
          >
            {t('모든 이벤트의 추첨 일시, 당첨자, 난수, 명단 지문입니다.')}
          </DownloadRow>
          <DownloadRow
            title={t('환불 대상')}
            method="POST"
            path="/api/admin/export/refund"
            fallbackName="refund.xlsx"
            failure={t('환불 대상 내보내기에 실패했습니다')}
          >
            {t(
              '돌려줄 돈이 있는 지갑마다 한 줄입니다. 돌려줄 금액, 돌려준 금액, 상태, 마지막 거래가 들어 있습니다.',
            )}
          </DownloadRow>
        </ul>
      </ListCard>
      <ListCard title={t('이벤트별 결제')} reason={t('티켓이 없는 결제까지 모두 들어 있습니다.')}>
        <div className={listStyles.body}>
          <Loaded from={records} rows={1}>
            {(data) => <EventExport numbers={data.map(({ eventNumber }) => eventNumber)} />}
          </Loaded>
        </div>
      </ListCard>
    </>
  )
}

function EventExport({ numbers }: { numbers: number[] }) {
  const [chosen, setChosen] = useState(numbers[0])
  if (chosen === undefined) return <p className="quiet">{t('이벤트가 없습니다.')}</p>
  return (
    <div className={`${rowStyles.row} ${styles.ends}`}>
      <Select
        isLabelled
        label={t('이벤트')}
        value={`${chosen}`}
        options={numbers.map((number) => [`${number}`, t('이벤트 {number}', { number })] as const)}
        onChange={(value) => setChosen(Number(value))}
      />
      <DownloadButton
        method="GET"
        path={`/api/admin/export/excel/event/${chosen}`}
        fallbackName={`event-${chosen}.xlsx`}
        failure={t('이벤트 엑셀 다운로드에 실패했습니다')}
        label={t('엑셀 받기')}
        name={t('이벤트 {chosen} 결제 엑셀 받기', { chosen })}
      />
    </div>
  )
}
