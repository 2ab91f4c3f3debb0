import { useStore } from '@nanostores/react'
import refundIcon from 'lucide-static/icons/undo-2.svg?raw'
import type { ReactNode } from 'react'
import type { PublicConfig, PublicDrawnTicket } from '../../../core/live/public.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { $now } from '../live/clock.ts'
import { hasWinner } from '../live/history.ts'
import { $config, $drawStatus, $link, $prizes, $winner, $winners } from '../live/live.ts'
import { Icon } from '../shell/Icon.tsx'
import { When } from '../shell/When.tsx'
import { t } from '../texts/index.ts'
import { DrawHashes } from './BeaconWait.tsx'
import { beaconStanding, roundLine, sourceOf } from './beacon-standing.ts'
import { HiddenWinner } from './HiddenWinner.tsx'
import { OpenRefund } from './OpenRefund.tsx'
import { OtherWinners } from './OtherWinners.tsx'
import { refundWhy } from './overlay-state.ts'
import { Prizes } from './Prizes.tsx'
import styles from './WinnerBoard.module.css'
import { WinnerClaim } from './WinnerClaim.tsx'
import { WinnerTicket } from './WinnerTicket.tsx'
import winnerStyles from './winner.module.css'

/** The current event's draw: scheduled, awaited, running, announced, or refunded. */
export function WinnerBoard() {
  const config = useStore($config, { ssr: () => undefined })
  const winner = useStore($winner, { ssr: () => undefined })
  const winners = useStore($winners, { ssr: () => undefined })
  const prizes = useStore($prizes, { ssr: () => undefined })
  const drawStatus = useStore($drawStatus, { ssr: () => undefined })
  const now = useStore($now, { ssr: () => 0 })
  const isAway = useStore($link, { ssr: () => 'connecting' as const }) === 'offline'
  if (!config || !drawStatus || winner === undefined) return isAway ? <Away /> : <Waiting />

  const isRefund = config.isRefundMode || drawStatus.isRefundMode
  if (hasWinner(winner)) {
    const drawn = winners?.filter(({ eventNumber }) => eventNumber === winner.eventNumber) ?? []
    return (
      <>
        <WinnerTicket winner={winner} drawDate={config.drawDate} count={winnersIn(drawn).length} />
        <OtherWinners drawn={drawn} />
        <WinnerNext
          isRefund={isRefund}
          prizes={prizes?.filter(({ eventNumber }) => eventNumber === winner.eventNumber) ?? []}
          config={config}
        />
      </>
    )
  }
  // A stopped sale has no draw to come.
  const noDate = isRefund ? t.none.notAvailable : t.none.tbd
  const schedule = config.drawDate ? <When value={config.drawDate} /> : noDate
  const state = (title: string, tone: string, text: string, more?: ReactNode) => (
    <State title={title} tone={tone} schedule={schedule} source={isRefund ? undefined : sourceOf(config)}>
      <p>{text}</p>
      {more}
    </State>
  )
  if (isRefund)
    return state(
      t.winner.refundTitle,
      'bad',
      `${refundWhy(drawStatus.refundReason)}. ${t.winner.refund}`,
      <OpenRefund eventNumber={config.eventNumber} />,
    )
  if (drawStatus.isWinnerHidden)
    return (
      <>
        {state(t.winner.awaiting, 'now', t.winner.awaitingText)}
        <HiddenWinner config={config} />
      </>
    )
  if (drawStatus.isDrawing) return state(t.winner.drawing, 'now', t.winner.drawingText)
  const standing = beaconStanding(config, drawStatus, now)
  const round = standing && config.beaconRound !== null && (
    <p className={`figure ${styles.round}`} data-beacon={standing}>
      {roundLine(config.beaconRound, drawStatus.beaconDueAt, now)}
    </p>
  )
  const waiting = standing && (
    <>
      {round}
      <DrawHashes status={drawStatus} className={styles.blocks} />
    </>
  )
  if (config.drawDate && Date.parse(config.drawDate) <= now)
    return state(
      t.winner.awaiting,
      'now',
      standing && standing !== 'named' ? t.beacon[standing] : t.winner.awaitingText,
      waiting,
    )
  return state(t.winner.scheduled, '', t.winner.scheduledText, standing && <p>{t.beacon.named}</p>)
}

const Waiting = () => (
  <div className={styles.panel} aria-busy="true">
    <div className={styles.bones}>
      <span className="bone" />
      <span className="bone" />
    </div>
  </div>
)

/** Nothing is known of this event, and the server does not answer. */
function Away() {
  return (
    <div className={styles.panel} role="status">
      <div>
        <h2>{t.away.title}</h2>
        <p>{t.away.text}</p>
      </div>
    </div>
  )
}

type StateProps = {
  title: string
  tone: string
  schedule: ReactNode
  source: string | undefined
  children: ReactNode
}

function State(props: StateProps) {
  return (
    <div className={styles.panel} data-tone={props.tone} role="status">
      <div>
        <h2>{props.title}</h2>
        {props.children}
      </div>
      <dl>
        <dt className="label">{t.winner.schedule}</dt>
        <dd>{props.schedule}</dd>
        {props.source && (
          <>
            <dt className="label">{t.beacon.source}</dt>
            <dd>{props.source}</dd>
          </>
        )}
      </dl>
    </div>
  )
}

/** What the winners do now, and what became of their prizes; in refund mode, what happens to the payments instead. */
function WinnerNext(props: { isRefund: boolean; prizes: readonly PublicPrize[]; config: PublicConfig }) {
  const { isRefund, prizes, config } = props
  if (isRefund)
    return (
      <div className={`note bad ${winnerStyles.next}`}>
        <Icon svg={refundIcon} />
        <div>
          <p>
            <b>{t.winner.refundInfo}</b> {t.winner.refundInfoText}
          </p>
          <OpenRefund eventNumber={config.eventNumber} />
        </div>
      </div>
    )
  return (
    <>
      <WinnerClaim prizes={prizes} config={config} />
      <Prizes prizes={prizes} />
    </>
  )
}

const winnersIn = (drawn: readonly PublicDrawnTicket[]): PublicDrawnTicket[] =>
  drawn.filter(({ kind }) => kind === 'winner')
