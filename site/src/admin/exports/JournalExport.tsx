import { useState } from 'react'
import { DownloadButton } from '../frame/DownloadRow.tsx'
import { ListCard } from '../frame/Group.tsx'
import listStyles from '../frame/List.module.css'
import rowStyles from '../frame/Rows.module.css'
import { t } from '../language/t.ts'
import styles from './JournalExport.module.css'
import { isPeriod, thisMonth } from './period.ts'

/** The journal of a period, chosen by its first and its last day. */
export function JournalExport() {
  const [period, setPeriod] = useState(() => thisMonth(new Date()))
  const { from, to } = period
  const isRight = isPeriod(period)
  return (
    <ListCard
      title={t('분개장 (복식 부기)')}
      reason={t('등록한 지갑의 모든 USDT 이동을 차변과 대변으로 적은 CSV입니다. 날짜는 UTC입니다.')}
    >
      <div className={listStyles.body}>
        <div className={`${rowStyles.row} ${styles.row}`}>
          <div className={styles.days}>
            <label className={rowStyles.label}>
              {t('첫날')}
              <input
                type="date"
                className="input"
                value={from}
                min="2020-01-01"
                onChange={({ target }) => setPeriod({ from: target.value, to })}
              />
            </label>
            <label className={rowStyles.label}>
              {t('마지막 날')}
              <input
                type="date"
                className="input"
                value={to}
                min={from}
                aria-invalid={!isRight}
                aria-describedby="journal-note"
                onChange={({ target }) => setPeriod({ from, to: target.value })}
              />
            </label>
          </div>
          {isRight && (
            <DownloadButton
              method="GET"
              path="/api/admin/export/journal"
              query={period}
              fallbackName={`journal-${from}-${to}.csv`}
              failure={t('분개장 내보내기에 실패했습니다')}
              label={t('CSV 받기')}
              name={t('분개장 CSV 받기')}
            />
          )}
        </div>
        <p id="journal-note" className="hint">
          {isRight
            ? t(
                '장부 정리를 돕는 자료이며 세무나 회계 자문이 아닙니다. 가스비, 실물 경품, 등록하지 않은 지갑은 들어 있지 않습니다.',
              )
            : t('마지막 날은 첫날과 같거나 그 뒤여야 합니다.')}
        </p>
      </div>
    </ListCard>
  )
}
