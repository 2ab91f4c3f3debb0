import type { PublicDrawnTicket } from '../../../core/live/public.ts'
import { shorten } from '../../../core/money.ts'
import { HashLink } from '../shell/HashLink.tsx'
import ticket from '../shell/Ticket.module.css'
import { fill, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import styles from './winner.module.css'

/** Below the gold ticket: winners 2 and on as paper tickets, the reserves folded. Nothing where one winner was drawn. */
export function OtherWinners({ drawn }: { drawn: readonly PublicDrawnTicket[] }) {
  const others = drawn.filter(({ kind, place }) => kind === 'winner' && place > 1)
  const reserves = drawn.filter(({ kind }) => kind === 'reserve')
  if (others.length === 0) return null
  return (
    <section aria-labelledby="winners-title" data-winners>
      <h2 id="winners-title" className={`h3-display ${styles.title}`}>
        {fill(t.winners.title, { count: others.length + 1 })}
      </h2>
      <ol className="pair gap-20" start={2}>
        {others.map((winner) => (
          <li key={winner.place} className={ticket.ticket}>
            <div className={`${ticket.face} ${ticket.paper} ${styles.otherWinnersTicket}`}>
              <div>
                <p className="label">{fill(t.winners.place, { place: winner.place })}</p>
                <p className={`figure ${styles.otherWinnersWallet}`} translate="no" title={winner.walletAddress}>
                  {shorten(winner.walletAddress, 6, 4)}
                </p>
              </div>
              <div className={styles.otherWinnersStub}>
                <b className="figure" translate="no">
                  #{winner.ticketNumber}
                </b>
                <HashLink hash={winner.transactionHash} />
              </div>
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
                <span className="figure" translate="no" title={reserve.walletAddress}>
                  {shorten(reserve.walletAddress, 6, 4)}
                </span>
                <b className="figure" translate="no">
                  #{reserve.ticketNumber}
                </b>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  )
}
