import { useStore } from '@nanostores/react'
import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import { useState } from 'react'
import type { PublicDrawnTicket, PublicHistoryItem } from '../../../core/live/public.ts'
import { shorten } from '../../../core/money.ts'
import { site } from '../content/site.ts'
import { pageSize, shortDate, shownHistory } from '../live/history.ts'
import { $history } from '../live/live.ts'
import { Icon } from '../shell/Icon.tsx'
import { Pages } from '../shell/Pages.tsx'
import { fill } from '../texts/fill.ts'
import { lang, t } from '../texts/index.ts'
import { chooseEvent } from './check.ts'
import { OpenRefund } from './OpenRefund.tsx'
import { PastPrizes } from './PastPrizes.tsx'
import styles from './PastWinners.module.css'
import { WaitingList } from './WaitingList.tsx'

export function PastWinners() {
  const history = useStore($history, { ssr: () => undefined })
  const [chosen, setPage] = useState(1)
  if (!history) return <WaitingList />
  const items = shownHistory(history)
  if (items.length === 0) return <p className="empty">{t.history.empty}</p>
  const pageCount = Math.ceil(items.length / pageSize)
  const page = Math.min(chosen, pageCount)
  return (
    <div>
      <ul className={`rows ${styles.past}`} aria-labelledby="history-title">
        {items.slice((page - 1) * pageSize, page * pageSize).map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
      <Pages page={page} count={pageCount} onChange={setPage} label={t.history.pages} />
    </div>
  )
}

/** Scrolls to the panel, which may be far away on a phone. */
function showCheck(eventNumber: number): void {
  chooseEvent(eventNumber)
  const title = document.getElementById('check-title')
  title?.scrollIntoView({ block: 'start' })
  title?.focus({ preventScroll: true })
}

function Item({ item }: { item: PublicHistoryItem }) {
  const { eventNumber, drawDate, winnerWallet, winnerTransactionHash, randomNumber, winners, prizes } = item
  return (
    <li>
      <h3 className={styles.event}>
        <a href={`${lang === 'ko' ? '/ko' : ''}/e/${eventNumber}/`}>
          {fill(t.history.event, { event: `${eventNumber}` })}
        </a>
      </h3>
      <span className={`${styles.wallet} figure`} title={winnerWallet ?? undefined}>
        {winnerWallet ? shorten(winnerWallet, 6, 4) : t.none.notAvailable}
      </span>
      <span className={styles.link}>
        {winnerWallet && (
          <button
            type="button"
            className="button edged compact"
            aria-label={fill(t.history.checkEvent, { event: `${eventNumber}` })}
            onClick={() => showCheck(eventNumber)}
          >
            {t.history.check}
          </button>
        )}
        {winnerTransactionHash && (
          <a
            className="hash"
            href={`${site.explorerUrl}/tx/${winnerTransactionHash}`}
            target="_blank"
            rel="noreferrer"
            aria-label={fill(t.history.onBsc, { event: `${eventNumber}` })}
          >
            <span>BSC</span>
            <Icon svg={externalIcon} className="small" />
          </a>
        )}
      </span>
      <time className={`${styles.date} figure`} dateTime={drawDate ?? undefined}>
        {shortDate(drawDate)}
      </time>
      <span className={`${styles.facts} figure`}>
        <span title={winnerTransactionHash ?? undefined}>
          {winnerTransactionHash ? shorten(winnerTransactionHash, 8, 0) : t.none.notAvailable}
        </span>
        {randomNumber && randomNumber.length > 20 && (
          <span title={randomNumber}>{shorten(randomNumber, 12, 8)}</span>
        )}
      </span>
      <div className={styles.more}>
        {winners.length > 1 && <AllWinners winners={winners} />}
        {prizes.length > 0 && <PastPrizes eventNumber={eventNumber} prizes={prizes} />}
        <OpenRefund eventNumber={eventNumber} />
      </div>
    </li>
  )
}

function AllWinners({ winners }: { winners: readonly PublicDrawnTicket[] }) {
  return (
    <details className={styles.winners}>
      <summary>{fill(t.winners.title, { count: winners.length })}</summary>
      <ol className="figure">
        {winners.map(({ place, ticketNumber, walletAddress }) => (
          <li key={place}>
            <span>{place}.</span> <b>#{ticketNumber}</b>{' '}
            <span title={walletAddress}>{shorten(walletAddress, 6, 4)}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}
