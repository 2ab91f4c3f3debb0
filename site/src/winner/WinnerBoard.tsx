import { useStore } from '@nanostores/react'
import refundIcon from 'lucide-static/icons/undo-2.svg?raw'
import type { ReactNode } from 'react'
import type { PublicWinner } from '../../../core/public.ts'
import { $now } from '../live/clock.ts'
import { hasWinner } from '../live/history.ts'
import { $config, $drawStatus, $winner } from '../live/live.ts'
import { Icon } from '../shell/Icon.tsx'
import { When } from '../shell/When.tsx'
import { t } from '../texts/index.ts'
import { refundWhy } from './overlay-state.ts'
import styles from './WinnerBoard.module.css'
import { WinnerClaim } from './WinnerClaim.tsx'
import { WinnerTicket } from './WinnerTicket.tsx'
import winnerStyles from './winner.module.css'

/** The current event's draw: scheduled, awaited, running, announced, or refunded. */
export function WinnerBoard() {
  const config = useStore($config, { ssr: () => undefined })
  const winner = useStore($winner, { ssr: () => undefined })
  const drawStatus = useStore($drawStatus, { ssr: () => undefined })
  const now = useStore($now, { ssr: () => 0 })
  if (!config || !drawStatus || winner === undefined) return <div className={styles.panel} aria-busy="true" />

  const isRefund = config.isRefundMode || drawStatus.isRefundMode
  if (hasWinner(winner))
    return (
      <>
        <WinnerTicket winner={winner} drawDate={config.drawDate} />
        <WinnerNext isRefund={isRefund} winner={winner} formUrl={config.googleFormUrl} />
      </>
    )
  const schedule = config.drawDate ? <When value={config.drawDate} /> : t.none.tbd
  const state = (title: string, tone: string, text: string) => (
    <State title={title} tone={tone} schedule={schedule}>
      {text}
    </State>
  )
  if (isRefund)
    return state(t.winner.refundTitle, 'bad', `${refundWhy(drawStatus.refundReason)}. ${t.winner.refund}`)
  if (drawStatus.isDrawing) return state(t.winner.drawing, 'now', t.winner.drawingText)
  if (config.drawDate && Date.parse(config.drawDate) <= now)
    return state(t.winner.awaiting, 'now', t.winner.awaitingText)
  return state(t.winner.scheduled, '', t.winner.scheduledText)
}

function State(props: { title: string; tone: string; schedule: ReactNode; children: string }) {
  return (
    <div className={styles.panel} data-tone={props.tone} role="status">
      <div>
        <h2>{props.title}</h2>
        <p>{props.children}</p>
      </div>
      <dl>
        <dt className="label">{t.winner.schedule}</dt>
        <dd>{props.schedule}</dd>
      </dl>
    </div>
  )
}

/** What the winner does now; in refund mode, what happens to the payments instead. */
function WinnerNext(props: { isRefund: boolean; winner: PublicWinner; formUrl: string | null }) {
  if (props.isRefund)
    return (
      <div className={`note bad ${winnerStyles.next}`}>
        <Icon svg={refundIcon} />
        <p>
          <b>{t.winner.refundInfo}</b> {t.winner.refundInfoText}
        </p>
      </div>
    )
  return <WinnerClaim winner={props.winner} formUrl={props.formUrl} />
}
