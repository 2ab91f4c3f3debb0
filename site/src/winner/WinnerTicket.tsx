import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import type { PublicDrawnTicket, PublicWinner } from '../../../core/live/public.ts'
import { shorten } from '../../../core/money.ts'
import { Icon } from '../shell/Icon.tsx'
import { Figure, Stack, Text } from '../shell/Layout.tsx'
import { HashLink, Short, Trans, TxLink, When } from '../shell/Parts.tsx'
import ticket from '../shell/Ticket.module.css'
import { fill, plural, t } from '../texts/index.ts'
import styles from './winner.module.css'

type Props = {
  winner: PublicWinner
  /** Its name; empty where the event does not tell it. */
  prize: string
  drawDate: string | null
  count: number
}

export function WinnerTicket({ winner, prize, drawDate, count }: Props) {
  const { eventNumber, ticketNumber, walletAddress, transactionHash, randomNumber, announcedAt } = winner
  return (
    <div className={ticket.ticket}>
      <div className={`${ticket.face} ${ticket.gold} ${ticket.phone} ${styles.ticket}`}>
        <Stack gap={16} className={styles.body}>
          <div>
            <p className="label">
              <Trans
                text={t.winner.event}
                event={eventNumber}
                ticket={
                  <b className={`${styles.number} figure`} translate="no">
                    #{ticketNumber}
                  </b>
                }
              />
              {count > 1 && ` ${fill(t.winners.first, { count })}`}
            </p>
            <Short as="p" className={styles.wallet} data-winner address={walletAddress} />
            {prize && <Text strong>{prize}</Text>}
          </div>
          <dl className={styles.facts}>
            <div>
              <dt className="label">{t.winner.schedule}</dt>
              <dd>{drawDate ? <When value={drawDate} /> : t.none.tbd}</dd>
            </div>
            <div>
              <dt className="label">{t.winner.announcedAt}</dt>
              <dd>{announcedAt ? <When value={announcedAt} /> : t.none.tbd}</dd>
            </div>
            <div className={styles.hash}>
              <dt className="label">{t.winner.hash}</dt>
              <dd className="figure" translate="no" title={transactionHash}>
                {shorten(transactionHash, 10, 0)}
              </dd>
              <dd>
                <TxLink
                  hash={transactionHash}
                  className={`button edged compact ${styles.view}`}
                  translate="yes"
                >
                  {t.winner.view} <Icon svg={externalIcon} className="small" />
                </TxLink>
              </dd>
            </div>
          </dl>
          {randomNumber && (
            <Stack as="p" gap={4}>
              <span className="label">{t.winner.random}</span>
              <span className="figure size-13 anywhere" translate="no">
                {randomNumber}
              </span>
            </Stack>
          )}
        </Stack>
        <div className={`center ${styles.stub}`}>
          <Seal eventNumber={eventNumber} date={drawDate ?? announcedAt} />
        </div>
      </div>
    </div>
  )
}

export function OtherWinners({ drawn }: { drawn: readonly PublicDrawnTicket[] }) {
  const others = drawn.filter(({ kind, place }) => kind === 'winner' && place > 1)
  const reserves = drawn.filter(({ kind }) => kind === 'reserve')
  if (others.length === 0) return null
  return (
    <Stack as="section" gap={20} aria-labelledby="winners-title" data-winners>
      <h2 id="winners-title" className="h3-display">
        {fill(t.winners.title, { count: others.length + 1 })}
      </h2>
      <ol className="pair gap-20" start={2}>
        {others.map((winner) => (
          <li key={winner.place} className={ticket.ticket}>
            <div className={`${ticket.face} ${ticket.paper} ${styles.other}`}>
              <Stack gap={4}>
                <p className="label">{fill(t.winners.place, { place: winner.place })}</p>
                <Short as="p" className={styles.wallet} address={winner.walletAddress} />
              </Stack>
              <Stack gap={4}>
                <Figure>#{winner.ticketNumber}</Figure>
                <HashLink hash={winner.transactionHash} />
              </Stack>
            </div>
          </li>
        ))}
      </ol>
      {reserves.length > 0 && (
        <details className="fold">
          <summary>{plural(t.winners.reserves, reserves.length)}</summary>
          <p className="hint">{t.winners.reservesText}</p>
          <ol className="rows">
            {reserves.map((reserve) => (
              <li key={reserve.place} className="row whole spread">
                <span>{fill(t.winners.reserve, { place: reserve.place })}</span>
                <Short address={reserve.walletAddress} />
                <Figure>#{reserve.ticketNumber}</Figure>
              </li>
            ))}
          </ol>
        </details>
      )}
    </Stack>
  )
}

export const DrawnList = ({ drawn }: { drawn: readonly PublicDrawnTicket[] }) => (
  <ol className={`figure size-15 ${styles.drawn}`} translate="no">
    {drawn.map(({ place, ticketNumber, walletAddress }) => (
      <li key={place}>
        <span className="muted">{place}.</span> <b>#{ticketNumber}</b>{' '}
        <Short className="muted" address={walletAddress} />
      </li>
    ))}
  </ol>
)

export function Seal({ eventNumber, date }: { eventNumber: number; date: string }) {
  // "Thu, 30 Sep 2055 12:00:00 GMT"
  const utc = new Date(date).toUTCString()
  const around = `EVENT No. ${eventNumber} · DRAWN ${utc.slice(5, 16).toUpperCase()} · `
  return (
    <svg className={styles.seal} viewBox="-100 -100 200 200" role="img" aria-label={t.certificate.seal}>
      <defs>
        <path id="seal-path" d="M-69 0a69 69 0 1 1 138 0a69 69 0 1 1-138 0" />
      </defs>
      <g fill="none" stroke="currentColor">
        <circle r="96" strokeWidth="3.5" />
        <circle r="90" strokeWidth="1" />
        <circle r="57" strokeWidth="2" />
      </g>
      <text className={styles.around} textLength="425" lengthAdjust="spacing">
        <textPath href="#seal-path">{around}</textPath>
      </text>
      <text className={styles.word} textAnchor="middle" y="4">
        FINAL
      </text>
      <text textAnchor="middle" y="26">
        {utc.slice(17, 22)} UTC
      </text>
    </svg>
  )
}
