import calendarIcon from 'lucide-static/icons/calendar-plus.svg?raw'
import shareIcon from 'lucide-static/icons/share-2.svg?raw'
import { useEffect, useRef } from 'react'
import { saveDrawDate } from '../home/calendar.ts'
import { serverNow } from '../live/clock.ts'
import { Icon } from '../shell/Icon.tsx'
import { useCopy, useLive } from '../shell/island.tsx'
import { Row, Stack } from '../shell/Layout.tsx'
import { HashLink, Skeleton } from '../shell/Parts.tsx'
import ticket from '../shell/Ticket.module.css'
import { fill, lang, plural, t } from '../texts/index.ts'
import styles from './buy.module.css'
import type { Purchase } from './purchase.ts'
import { numbersText } from './standing.ts'

type Props = { purchase: Purchase; first: number; amount: string }

export function OwnTicket({ purchase: { ticketCount, hash }, first, amount }: Props) {
  const { config } = useLive()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Only a buyer who waits for it: nobody is taken from where he types or reads.
    const { activeElement: at } = document
    if (at === document.body || at?.closest('#buy [data-pay]')) place.current?.focus()
  }, [])
  const isAhead = Boolean(config?.drawDate) && Date.parse(config?.drawDate as string) > serverNow()
  return (
    <div ref={place} tabIndex={-1} className={`${ticket.ticket} ${styles.own}`}>
      <div className={`${ticket.face} ${ticket.paper} ${styles.face}`}>
        <Stack gap={4} className={styles.body}>
          <p className="label">{t.purchase.ticketTitle}</p>
          <p className={`${styles.number} figure`} translate="no" data-numbers>
            {numbersText(first, ticketCount)}
          </p>
          <p className="hint">
            {fill(t.purchase.ticketLine, { tickets: plural(t.tickets, ticketCount), amount })}
          </p>
          {hash && <HashLink hash={hash} />}
          <span className={`stamp ${styles.stamp}`}>{t.purchase.stamp}</span>
          <Row gap={8}>
            {config && <Share numbers={numbersText(first, ticketCount)} event={config.eventNumber} />}
            {isAhead && (
              <button type="button" className="button edged compact" onClick={saveDrawDate}>
                <Icon svg={calendarIcon} className="small" /> <span>{t.purchase.calendar}</span>
              </button>
            )}
          </Row>
        </Stack>
        <div className={styles.bars}>
          <Skeleton seed={String(first)} isLying />
        </div>
      </div>
    </div>
  )
}

/** By what the device shares with; where it has nothing, the address is copied. */
function Share({ numbers, event }: { numbers: string; event: number }) {
  const url =
    typeof location === 'undefined' ? '' : `${location.origin}${lang === 'ko' ? '/ko' : ''}/e/${event}/`
  const text = fill(t.purchase.shareText, { numbers, event: `${event}` })
  const { isCopied, copy } = useCopy(`${text} ${url}`)
  const share = () =>
    typeof navigator.share === 'function' ? navigator.share({ text, url }).catch(() => undefined) : copy()
  return (
    <button type="button" className="button edged compact" onClick={() => void share()}>
      <Icon svg={shareIcon} className="small" />{' '}
      <span aria-live="polite">{isCopied ? t.copied : t.purchase.share}</span>
    </button>
  )
}
