import { Bars } from '../components/Bars.tsx'

/** The buyer's ticket on paper, with the stamp of a finished fact. */
export function OwnTicket({ first, count, amount }: { first: number; count: number; amount: string }) {
  const last = first + count - 1
  return (
    <div className="ticket own-ticket">
      <div className="ticket-face paper">
        <div className="own-ticket-body">
          <p className="label">Your tickets</p>
          <p className="own-ticket-number figure">{count === 1 ? `#${first}` : `#${first}–#${last}`}</p>
          <p className="hint">
            {count.toLocaleString('en-US')} {count === 1 ? 'ticket' : 'tickets'}, {amount}
          </p>
          <span className="stamp">Credited</span>
        </div>
        <div className="own-ticket-stub">
          <Bars seed={String(first)} isLying />
        </div>
      </div>
    </div>
  )
}
