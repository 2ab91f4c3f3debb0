import { useEffect, useRef } from 'react'
import type { PublicPurchase } from '../../../core/live/public.ts'
import { usdt } from '../../../core/money.ts'
import { $now } from '../live/clock.ts'
import { formatAgo } from '../shell/dates.ts'
import { island, useLive, useShown } from '../shell/island.tsx'
import { Figure } from '../shell/Layout.tsx'
import { HashLink, TicketOutline } from '../shell/Parts.tsx'
import { $section } from '../shell/section.ts'
import { plural, t } from '../texts/index.ts'
import styles from './recent.module.css'

export const RecentList = island(function RecentList() {
  const { recent } = useLive()
  const now = useShown($now)
  const seen = useRef<Set<number> | undefined>(undefined)
  const before = seen.current

  useEffect(() => {
    if (recent) seen.current = new Set(recent.map(({ id }) => id))
  }, [recent])

  if (!recent) return <Skeleton />
  if (recent.length === 0) return <Empty />
  return (
    <ul className={`rows ${styles.recent}`} aria-label={t.recent.name}>
      {recent.map((purchase) => (
        <Row
          key={purchase.id}
          purchase={purchase}
          now={now}
          isFresh={before !== undefined && !before.has(purchase.id)}
        />
      ))}
    </ul>
  )
})

function Row({ purchase, now, isFresh }: { purchase: PublicPurchase; now: number; isFresh: boolean }) {
  // The row keeps its class, so that the next update does not cut the fading short.
  const fresh = useRef(isFresh).current
  const { ticketNumber, ticketCount, transactionHash, createdAt, amount } = purchase
  return (
    <li className={fresh ? styles.fresh : ''}>
      <Figure className="strong">#{ticketNumber}</Figure>
      <span>
        <HashLink hash={transactionHash} />
      </span>
      <time className="faint size-14" dateTime={createdAt} title={createdAt}>
        {formatAgo(Date.parse(createdAt), now)}
      </time>
      <Figure className="strong">{usdt(Math.floor(amount / 100) * 100)} USDT</Figure>
      <span className="muted size-15">{plural(t.tickets, ticketCount)}</span>
    </li>
  )
}

function Skeleton() {
  return (
    <ul className={`rows ${styles.recent}`} aria-busy="true" aria-label={t.recent.loading}>
      {[0, 1, 2, 3].map((row) => (
        <li key={row} data-skeleton>
          {[0, 1, 2, 3, 4].map((part) => (
            <span key={part} className="bone" />
          ))}
        </li>
      ))}
    </ul>
  )
}

function Empty() {
  return (
    <div className="empty">
      <TicketOutline />
      <p className="strong">{t.recent.emptyTitle}</p>
      <p>{t.recent.emptyText}</p>
      <button type="button" className="button" onClick={() => $section.set('buy')}>
        {t.recent.counter}
      </button>
    </div>
  )
}
