import externalIcon from 'lucide-static/icons/external-link.svg?raw'
import { formatDate, shorten } from '../../../core/format.ts'
import type { PublicWinner } from '../../../core/public.ts'
import { Icon } from '../components/Icon.tsx'
import { Seal } from '../components/Seal.tsx'
import { site } from '../content/site.ts'

/** The winner's ticket, on gold. */
export function WinnerTicket({ winner, drawDate }: { winner: PublicWinner; drawDate: string | null }) {
  const { eventNumber, ticketNumber, walletAddress, transactionHash, randomNumber, announcedAt } = winner
  return (
    <div className="ticket">
      <div className="ticket-face gold winner-ticket standing-on-phone">
        <div className="winner-body">
          <p className="label">
            Event no. {eventNumber}, winning ticket #{ticketNumber}
          </p>
          <p className="winner-wallet figure" title={walletAddress}>
            {shorten(walletAddress, 6, 4)}
          </p>
          <dl className="winner-facts">
            <div>
              <dt className="label">Draw schedule</dt>
              <dd>{drawDate ? formatDate(drawDate) : 'TBD'}</dd>
            </div>
            <div>
              <dt className="label">Announced at</dt>
              <dd>{announcedAt ? formatDate(announcedAt) : 'TBD'}</dd>
            </div>
            <div className="winner-hash">
              <dt className="label">Ticket hash</dt>
              <dd className="figure" title={transactionHash}>
                {shorten(transactionHash, 10, 0)}
              </dd>
              <dd>
                <a
                  className="button compact on-gold"
                  href={`${site.explorerUrl}/tx/${transactionHash}`}
                  target="_blank"
                  rel="noreferrer"
                >
                  View on BSC <Icon svg={externalIcon} className="small" />
                </a>
              </dd>
            </div>
          </dl>
          {randomNumber && (
            <p className="winner-random">
              <span className="label">Random number</span>
              <span className="figure">{randomNumber}</span>
            </p>
          )}
        </div>
        <div className="winner-stub">
          <Seal eventNumber={eventNumber} date={drawDate ?? announcedAt} />
        </div>
      </div>
    </div>
  )
}
