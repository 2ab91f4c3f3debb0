import { useStore } from '@nanostores/react'
import { $now } from '../../live/clock.ts'
import { $config, $recent, $stats } from '../../live/live.ts'
import { t } from '../language/t.ts'
import { agoText, besideUtcShort, toField } from './dates.ts'
import { count, usdt } from './numbers.ts'
import styles from './Summary.module.css'

/** Tickets, revenue, minimum and draw date, above every tab. */
export function Summary() {
  const config = useStore($config)
  const stats = useStore($stats)
  const recent = useStore($recent)
  const now = useStore($now)
  const price = stats?.ticketPrice ?? 3
  const last = recent?.[0]
  const sold = stats?.ticketsSold
  const minimum = config?.minTicketsForDraw
  const missing = sold !== undefined && minimum !== undefined ? minimum - sold : undefined
  // There is no room for seconds; the settings show them.
  const date = toField(config?.drawDate).slice(0, 16)
  return (
    <dl className={`${styles.strip} card`} aria-label={t('요약')}>
      <Cell
        name={t('판매된 티켓')}
        value={sold === undefined ? undefined : count(sold)}
        hint={
          last
            ? t('마지막 구매 {now}', { now: agoText((now - Date.parse(last.createdAt)) / 1000) })
            : recent && t('구매 없음')
        }
      />
      <Cell
        name={t('총 수익 (USDT)')}
        value={sold === undefined ? undefined : usdt(sold * Math.round(price * 100))}
        hint={t('티켓당 {price} USDT', { price })}
      />
      <Cell
        name={t('최소 참여 인원')}
        value={minimum === undefined ? undefined : count(minimum)}
        hint={
          missing === undefined
            ? ''
            : missing <= 0
              ? t('최소 수량을 넘었습니다')
              : t('{missing}장 남음', { missing: count(missing) })
        }
      />
      <Cell
        name={t('추첨 일시 (UTC)')}
        value={
          config &&
          (date ? (
            <>
              <span className={styles.year}>{date.slice(0, 5)}</span>
              {date.slice(5)}
            </>
          ) : (
            t('설정 안 됨')
          ))
        }
        isWord={config !== undefined && !date}
        hint={
          config?.drawDate
            ? t('한국 {date}', { date: besideUtcShort(config.drawDate) })
            : config && t('Not set · 판매 중')
        }
      />
    </dl>
  )
}

type CellProps = { name: string; value: React.ReactNode; hint: React.ReactNode; isWord?: boolean }

const Cell = ({ name, value, hint, isWord }: CellProps) => (
  <div>
    <dt>{name}</dt>
    <dd className={isWord ? styles.word : 'figure'}>{value ?? <span className="bone" />}</dd>
    <dd className={styles.hint}>{hint || ' '}</dd>
  </div>
)
