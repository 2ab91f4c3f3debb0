import { useStore } from '@nanostores/react'
import { formatDate } from '../../../core/format.ts'
import { hasWinner } from '../lib/history.ts'
import { $now } from '../stores/clock.ts'
import { $config, $drawStatus, $winner } from '../stores/live.ts'
import { WinnerNext } from './WinnerNext.tsx'
import { WinnerTicket } from './WinnerTicket.tsx'

/** The current event's draw: scheduled, awaited, running, announced, or refunded. */
export function WinnerBoard() {
  const config = useStore($config, { ssr: () => undefined })
  const winner = useStore($winner, { ssr: () => undefined })
  const drawStatus = useStore($drawStatus, { ssr: () => undefined })
  const now = useStore($now, { ssr: () => 0 })
  if (!config || !drawStatus || winner === undefined)
    return <div className="state-panel waiting" aria-busy="true" />

  const isRefund = config.isRefundMode || drawStatus.isRefundMode
  if (hasWinner(winner))
    return (
      <>
        <WinnerTicket winner={winner} drawDate={config.drawDate} />
        <WinnerNext isRefund={isRefund} winner={winner} formUrl={config.googleFormUrl} />
      </>
    )
  const schedule = config.drawDate ? formatDate(config.drawDate) : 'TBD'
  if (isRefund)
    return (
      <State title="Refund Notice" tone="bad" schedule={schedule}>
        Refund processing due to insufficient minimum ticket quantity. Every payment goes back in full to the
        sending address, within 3–5 business days.
      </State>
    )
  if (drawStatus.isDrawing)
    return (
      <State title="Draw in progress" tone="now" schedule={schedule}>
        The five blocks are known and the number is being computed. The winner appears here in a few seconds.
      </State>
    )
  if (config.drawDate && Date.parse(config.drawDate) <= now)
    return (
      <State title="Awaiting Draw" tone="now" schedule={schedule}>
        The draw date has passed. The winner is announced here as soon as the draw has run.
      </State>
    )
  return (
    <State title="Draw Scheduled" tone="" schedule={schedule}>
      The winner of this event is announced here, for everyone at the same moment.
    </State>
  )
}

function State(props: { title: string; tone: string; schedule: string; children: string | string[] }) {
  return (
    <div className={`state-panel ${props.tone}`} role="status">
      <div>
        <h2>{props.title}</h2>
        <p>{props.children}</p>
      </div>
      <dl>
        <dt className="label">Draw schedule</dt>
        <dd>{props.schedule}</dd>
      </dl>
    </div>
  )
}
