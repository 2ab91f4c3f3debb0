import { useStore } from '@nanostores/react'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { shorten } from '../../../core/money.ts'
import { $myTickets } from '../buy/my-tickets.ts'
import { $now } from '../live/clock.ts'
import { hasWinner } from '../live/stage.ts'
import { Icon } from '../shell/Icon.tsx'
import { island, useLive, useModal } from '../shell/island.tsx'
import { Figure, Row, Stack } from '../shell/Layout.tsx'
import { Trans } from '../shell/Parts.tsx'
import { count, fill, plural, t } from '../texts/index.ts'
import { BeaconWait, beaconStanding } from './BeaconWait.tsx'
import { Drum } from './Drum.tsx'
import { digits } from './drum.ts'
import { type Moment, momentOf } from './moment.ts'
import styles from './Overlay.module.css'
import {
  $isOverlayOpen,
  $overlay,
  animationMs,
  closeOverlay,
  flashMs,
  type OverlayState,
  statusOf,
  titleOf,
} from './overlay.ts'
import { DrawnList } from './WinnerTicket.tsx'

export function mountOverlay(place: HTMLElement): void {
  createRoot(place).render(<Mounted />)
}

const Mounted = island(Overlay)

/** Full screen, and dark in both themes. @internal */
export function Overlay() {
  const isOpen = useStore($isOverlayOpen)
  const state = useStore($overlay)
  const known = useLive()
  const { stats, config, drawStatus, winner } = known
  const now = useStore($now)
  const report = useStore($myTickets)
  const dialog = useModal(isOpen)
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches

  const standing =
    state.kind === 'waiting' && config && drawStatus && !hasWinner(winner)
      ? beaconStanding(config, drawStatus, now)
      : undefined
  const status = standing && standing !== 'named' ? t.beacon[standing] : statusOf(state)
  // The result may be here before the state that has it.
  const moment = momentOf(state.kind === 'winner' ? { ...known, winner: state.winner } : known, report)
  const isResult = state.kind === 'winner' || state.kind === 'refund' || state.kind === 'notice'
  return (
    <dialog
      ref={dialog}
      className={styles.overlay}
      aria-labelledby="overlay-title"
      // This event comes late: a draw that has begun since may have opened the dialog again.
      onClose={() => dialog.current?.open || closeOverlay()}
      data-theme="dark"
    >
      <Row spread whole>
        <Row as="p" gap={16} className="label">
          <span>{config && fill(t.overlay.event, { event: `${config.eventNumber}` })}</span>{' '}
          <span>{stats && plural(t.tickets, stats.ticketsSold)}</span>
        </Row>
        <button type="button" className="button edged small" onClick={closeOverlay}>
          <Icon svg={crossIcon} /> {t.close}
        </button>
      </Row>
      {isOpen && isResult && (
        <Result state={state} moment={moment} ticketsSold={stats?.ticketsSold} isCalm={isCalm} />
      )}
      {isOpen && !isResult && (
        <div className={styles.stage}>
          <Drum isTurning={state.kind === 'drawing'} isCalm={isCalm} />
          <Stack gap={20} className={styles.words}>
            <h2 id="overlay-title">{titleOf(state)}</h2>
            <p className="lead">{status}</p>
            {standing && config && drawStatus && (
              <BeaconWait standing={standing} config={config} status={drawStatus} now={now} />
            )}
            {!(standing && drawStatus?.blockSeed) && (
              <Tiles isRunning={state.kind === 'drawing'} isCalm={isCalm} />
            )}
            {state.kind === 'drawing' && <Bar isCalm={isCalm} />}
            <p className="hint">
              {config?.entropy === 'blocks+drand' ? t.overlay.beaconNote : t.overlay.note}
            </p>
          </Stack>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {isOpen &&
          (state.kind === 'winner' ? fill(t.overlay.winner, { wallet: state.winner.walletAddress }) : status)}
      </p>
    </dialog>
  )
}

function Tiles({ isRunning, isCalm }: { isRunning: boolean; isCalm: boolean }) {
  const [text, setText] = useState('---')
  useEffect(() => {
    if (!isRunning || isCalm) return setText('---')
    const timer = setInterval(() => setText(digits(Math.random)), flashMs)
    return () => clearInterval(timer)
  }, [isRunning, isCalm])
  return (
    <div className={styles.tiles} data-tiles aria-hidden="true">
      {[0, 1, 2].map((place) => (
        <b key={place} className={`center figure ${styles.tile}`} translate="no">
          {text[place] === '-' ? '–' : text[place]}
        </b>
      ))}
    </div>
  )
}

function Bar({ isCalm }: { isCalm: boolean }) {
  return (
    <div className={styles.bar} aria-hidden="true">
      <span
        className={styles.fill}
        data-own-motion
        style={{
          animationDuration: `${animationMs}ms`,
          animationTimingFunction: isCalm ? 'steps(10)' : 'linear',
        }}
      />
    </div>
  )
}

type ResultProps = {
  state: Extract<OverlayState, { kind: 'winner' | 'refund' | 'notice' }>
  moment: Moment | undefined
  ticketsSold: number | undefined
  isCalm: boolean
}

function Result({ state, moment, ticketsSold, isCalm }: ResultProps) {
  if (state.kind !== 'winner')
    return (
      <div className={`center ${styles.result}`}>
        <Yours moment={moment} />
        <span className={`stamp ${styles.stamp}`}>{t.overlay.stamp}</span>
        <div className={styles.ribbon} data-own-motion>
          <h2 id="overlay-title">{t.overlay.refund}</h2>
        </div>
        <p className="lead">{statusOf(state)}</p>
        <p className="hint">{t.overlay.refundNote}</p>
      </div>
    )
  const { winner, digits } = state
  return (
    <div className={`center ${styles.result}`}>
      {!isCalm && <Chads />}
      <Yours moment={moment} />
      <p className="label">{t.overlay.ends}</p>
      <div className={`row whole ${styles.balls}`}>
        {[...digits].map((digit, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: three fixed places
          <b key={place} className={`center figure ${styles.ball}`} translate="no">
            <span className={`center ${styles.digit}`} data-digit>
              {digit}
            </span>
          </b>
        ))}
      </div>
      <div className={styles.ribbon} data-own-motion>
        <h2 id="overlay-title">
          <Trans
            text={t.overlay.winner}
            wallet={<Figure as="span">{shorten(winner.walletAddress, 6, 4)}</Figure>}
          />
        </h2>
      </div>
      <p className={`lead ${styles.ticket}`}>
        <Trans
          text={ticketsSold === undefined ? t.overlay.ticket : t.overlay.ticketOf}
          ticket={<Figure>#{winner.ticketNumber}</Figure>}
          count={count(ticketsSold ?? 0)}
        />
      </p>
      <Others eventNumber={winner.eventNumber} />
      <p className="hint">{t.overlay.opening}</p>
    </div>
  )
}

const Yours = ({ moment }: { moment: Moment | undefined }) =>
  moment ? (
    <p className={styles.yours} data-moment={moment.kind}>
      <b>{moment.title}</b> {moment.text && <span>{moment.text}</span>}
    </p>
  ) : null

function Others({ eventNumber }: { eventNumber: number }) {
  const { winners } = useLive()
  const others = winners?.filter(
    (drawn) => drawn.eventNumber === eventNumber && drawn.kind === 'winner' && drawn.place > 1,
  )
  if (!others?.length) return null
  return (
    <div className={styles.others} data-others>
      <DrawnList drawn={others} />
    </div>
  )
}

function Chads() {
  return (
    <div className={styles.chads} aria-hidden="true">
      {chads.map((style) => (
        <i
          key={style.left + style.animationDelay}
          className={style.kind}
          style={{ left: style.left, animationDelay: style.animationDelay, rotate: style.rotate }}
        />
      ))}
    </div>
  )
}

const chadKinds = [undefined, styles.chip, styles.stub, styles.torn]
const chads = Array.from({ length: 56 }, (_, n) => {
  const place = (n * 61.803) % 60
  return {
    kind: chadKinds[n % 4],
    left: `${place < 30 ? place : place + 40}%`,
    animationDelay: `${((n * 37) % 100) * 12}ms`,
    rotate: `${(n * 47) % 180}deg`,
  }
})
