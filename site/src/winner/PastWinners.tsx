import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import { narrower } from '../../../core/content/event-content.ts'
import type { PublicHistoryItem } from '../../../core/live/public.ts'
import { shorten } from '../../../core/money.ts'
import { pageSize, shortDate, shownHistory } from '../live/stage.ts'
import { apiBase } from '../shell/api.ts'
import { Icon } from '../shell/Icon.tsx'
import { island, useFold, useLive } from '../shell/island.tsx'
import { Row, Stack } from '../shell/Layout.tsx'
import { Paged, TicketOutline, TxLink } from '../shell/Parts.tsx'
import { fill, lang, t } from '../texts/index.ts'
import { chooseEvent } from './check.ts'
import { useEventPrizes } from './event-prizes.ts'
import { PrizeBadge, PrizeRecords } from './PrizeRecord.tsx'
import { shortStanding, toneOf } from './prizes.ts'
import styles from './records.module.css'
import { WaitingList } from './WaitingList.tsx'
import { OpenRefund } from './WinnerBoard.tsx'
import { WinnerClaim } from './WinnerClaim.tsx'
import { DrawnList } from './WinnerTicket.tsx'

export const PastWinners = island(function PastWinners() {
  const { history } = useLive()
  if (!history) return <WaitingList />
  const items = shownHistory(history)
  if (items.length === 0) return <p className="empty">{t.history.empty}</p>
  return (
    <div>
      <Paged items={items} size={pageSize} label={t.history.pages}>
        {(shown) => (
          <ul className={`rows ${styles.past}`} aria-labelledby="history-title">
            {shown.map((item) => (
              <Item key={item.id} item={item} />
            ))}
          </ul>
        )}
      </Paged>
    </div>
  )
})

function showCheck(eventNumber: number): void {
  chooseEvent(eventNumber)
  const title = document.getElementById('check-title')
  title?.scrollIntoView({ block: 'start' })
  title?.focus({ preventScroll: true })
}

function Item({ item }: { item: PublicHistoryItem }) {
  const { eventNumber, drawDate, winnerWallet, winnerTransactionHash, randomNumber, winners, prizes } = item
  const { names, picture } = item
  return (
    <li>
      <span className={`center ${styles.picture}`} aria-hidden="true">
        {picture ? (
          <img src={`${apiBase}/api/uploads/${narrower(picture, 480) ?? picture}`} alt="" loading="lazy" />
        ) : (
          <TicketOutline />
        )}
      </span>
      <Stack gap={4} className="size-14">
        <Row spread whole gap={8}>
          <h3 className="display">
            <a href={`${lang === 'ko' ? '/ko' : ''}/e/${eventNumber}/`}>
              {fill(t.history.event, { event: `${eventNumber}` })}
            </a>
          </h3>
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
        </Row>
        {names?.[0] && <p>{names[0][lang]}</p>}
        <Row gap={8} className="muted" translate="no">
          <b className="figure" title={winnerWallet ?? undefined}>
            {winnerWallet ? shorten(winnerWallet, 6, 4) : t.none.notAvailable}
          </b>
          <time className="figure" dateTime={drawDate ?? undefined}>
            {shortDate(drawDate)}
          </time>
          {winnerTransactionHash && (
            <TxLink
              hash={winnerTransactionHash}
              aria-label={fill(t.history.onBsc, { event: `${eventNumber}` })}
            >
              <span>BSC</span>
              <Icon svg={externalIcon} className="small" />
            </TxLink>
          )}
        </Row>
        <Row gap={8} className="muted size-13" translate="no">
          <span className="figure" title={winnerTransactionHash ?? undefined}>
            {winnerTransactionHash ? shorten(winnerTransactionHash, 8, 0) : t.none.notAvailable}
          </span>
          {randomNumber && randomNumber.length > 20 && (
            <span className="figure" title={randomNumber}>
              {shorten(randomNumber, 12, 8)}
            </span>
          )}
        </Row>
        {winners.length > 1 && (
          <details>
            <summary>{fill(t.winners.title, { count: winners.length })}</summary>
            <DrawnList drawn={winners} />
          </details>
        )}
        {prizes.length > 0 && <PastPrizes item={item} />}
        <OpenRefund eventNumber={eventNumber} done={winnerWallet ? undefined : t.openRefund.past} />
      </Stack>
    </li>
  )
}

/** Where a past event's prizes stand; they are claimed here once the next event sells. */
function PastPrizes({ item: { eventNumber, prizes } }: { item: PublicHistoryItem }) {
  const { isOpen, fold } = useFold()
  const { config, winner } = useLive()
  // The announced event stands in this list too; its card is on the board.
  const isBehind = config && winner?.eventNumber !== eventNumber
  const found = useEventPrizes(isOpen ? eventNumber : undefined, JSON.stringify(prizes))
  const standings = prizes.map(shortStanding)
  const [only] = standings
  const done = standings.filter((standing) => toneOf(standing) === 'ok').length
  return (
    <details data-past-prizes={eventNumber} {...fold}>
      <summary>
        {standings.length === 1 && only ? (
          <PrizeBadge standing={only} text={doneOn(only, prizes[0]?.at)} />
        ) : (
          <span className="badge">{fill(t.prize.done, { done, all: standings.length })}</span>
        )}
      </summary>
      {found === 'failed' ? (
        <p role="status">{t.prize.troubled}</p>
      ) : found ? (
        <>
          {isBehind && <WinnerClaim prizes={found} config={config} isPast />}
          <PrizeRecords prizes={found} />
        </>
      ) : (
        isOpen && <p aria-busy="true">{t.prize.loading}</p>
      )}
    </details>
  )
}

/** "Delivered 10/12"; undefined for a prize that is not there yet. */
function doneOn(
  standing: ReturnType<typeof shortStanding>,
  at: string | null | undefined,
): string | undefined {
  if (!at || (standing !== 'delivered' && standing !== 'paid')) return undefined
  return fill(t.history[standing], { day: shortDate(at).split(' ')[0] ?? '' })
}
