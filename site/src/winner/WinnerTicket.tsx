import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import type { PublicWinner } from '../../../core/live/public.ts'
import { shorten } from '../../../core/money.ts'
import { site } from '../content/site.ts'
import { Icon } from '../shell/Icon.tsx'
import ticket from '../shell/Ticket.module.css'
import { Trans } from '../shell/Trans.tsx'
import { When } from '../shell/When.tsx'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { Seal } from './Seal.tsx'
import styles from './winner.module.css'

type Props = {
  winner: PublicWinner
  /** Its name; empty where the event does not tell it. */
  prize: string
  drawDate: string | null
  /** How many were drawn. */
  count: number
}

/** The first winner's ticket, on gold: the number that was drawn, and who holds it. */
export function WinnerTicket({ winner, prize, drawDate, count }: Props) {
  const { eventNumber, ticketNumber, walletAddress, transactionHash, randomNumber, announcedAt } = winner
  return (
    <div className={ticket.ticket}>
      <div className={`${ticket.face} ${ticket.gold} ${ticket.phone} ${styles.ticket}`}>
        <div className={styles.body}>
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
            {count > 1 && ` · ${fill(t.winners.first, { count })}`}
          </p>
          <p className={`${styles.wallet} figure`} translate="no" data-winner title={walletAddress}>
            {shorten(walletAddress, 6, 4)}
          </p>
          {prize && <p className={styles.prize}>{prize}</p>}
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
                <a
                  className={`button compact ${styles.view}`}
                  href={`${site.explorerUrl}/tx/${transactionHash}`}
                  target="_blank"
                  rel="noreferrer"
                >
                  {t.winner.view} <Icon svg={externalIcon} className="small" />
                </a>
              </dd>
            </div>
          </dl>
          {randomNumber && (
            <p className={styles.random}>
              <span className="label">{t.winner.random}</span>
              <span className="figure" translate="no">
                {randomNumber}
              </span>
            </p>
          )}
        </div>
        <div className={styles.stub}>
          <Seal eventNumber={eventNumber} date={drawDate ?? announcedAt} />
        </div>
      </div>
    </div>
  )
}
