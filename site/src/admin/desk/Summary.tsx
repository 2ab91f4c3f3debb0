import { useStore } from '@nanostores/react'
import { $now } from '../../live/clock.ts'
import { $config, $recent, $stats } from '../../live/live.ts'
import { t } from '../language/t.ts'
import { Figure, Figures } from '../ui/card.tsx'
import { agoText, besideUtcShort, count, toField, usdt } from '../ui/format.ts'

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
    <Figures label={t('요약')}>
      <Figure name={t('판매된 티켓')} value={sold === undefined ? undefined : count(sold)}>
        {last
          ? t('마지막 구매 {now}', { now: agoText((now - Date.parse(last.createdAt)) / 1000) })
          : recent && t('구매 없음')}
      </Figure>
      <Figure
        name={t('총 수익 (USDT)')}
        value={sold === undefined ? undefined : usdt(sold * Math.round(price * 100))}
      >
        {t('티켓당 {price} USDT', { price })}
      </Figure>
      <Figure name={t('최소 참여 인원')} value={minimum === undefined ? undefined : count(minimum)}>
        {missing !== undefined &&
          (missing <= 0 ? t('최소 수량을 넘었습니다') : t('{missing}장 남음', { missing: count(missing) }))}
      </Figure>
      <Figure
        name={t('추첨 일시 (UTC)')}
        value={
          config &&
          (date ? (
            <>
              <span data-wide>{date.slice(0, 5)}</span>
              {date.slice(5)}
            </>
          ) : (
            t('설정 안 됨')
          ))
        }
        isWord={config !== undefined && !date}
      >
        {config?.drawDate
          ? t('한국 {date}', { date: besideUtcShort(config.drawDate) })
          : config && t('Not set · 판매 중')}
      </Figure>
    </Figures>
  )
}
