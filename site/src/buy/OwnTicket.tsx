import { Skeleton } from '../shell/Skeleton.tsx'
import ticket from '../shell/Ticket.module.css'
import { fill, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import styles from './OwnTicket.module.css'
import { numbersText } from './standing.ts'

/** The buyer's paper ticket, stamped, as its numbers are final. */
export function OwnTicket({ first, count, amount }: { first: number; count: number; amount: string }) {
  return (
    <div className={`${ticket.ticket} ${styles.own}`}>
      <div className={`${ticket.face} ${ticket.paper} ${styles.face}`}>
        <div className={styles.body}>
          <p className="label">{t.purchase.ticketTitle}</p>
          <p className={`${styles.number} figure`} data-numbers>
            {numbersText(first, count)}
          </p>
          <p className="hint">{fill(t.purchase.ticketLine, { tickets: plural(t.tickets, count), amount })}</p>
          <span className={`stamp ${styles.stamp}`}>{t.purchase.stamp}</span>
        </div>
        <div className={styles.stub}>
          <Skeleton seed={String(first)} isLying />
        </div>
      </div>
    </div>
  )
}
