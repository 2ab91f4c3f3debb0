import { useStore } from '@nanostores/react'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import { useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { $myTickets } from '../buy/my-tickets.ts'
import { $now } from '../live/clock.ts'
import { hasWinner } from '../live/history.ts'
import { useLive } from '../shell/hooks.ts'
import { Icon } from '../shell/Icon.tsx'
import { island } from '../shell/island.tsx'
import { Row, Stack } from '../shell/Layout.tsx'
import { fill, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { BeaconWait } from './BeaconWait.tsx'
import { beaconStanding } from './beacon-standing.ts'
import { Drum } from './Drum.tsx'
import { digits } from './drum.ts'
import { momentOf } from './moment.ts'
import styles from './Overlay.module.css'
import { $isOverlayOpen, $overlay, animationMs, closeOverlay, flashMs, statusOf, titleOf } from './overlay.ts'
import { Result } from './Result.tsx'

/** Renders the overlay into the page; the store opens it. */
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
  const dialog = useRef<HTMLDialogElement>(null)
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches

  useEffect(() => {
    if (isOpen && !dialog.current?.open) dialog.current?.showModal()
    if (!isOpen) dialog.current?.close()
  }, [isOpen])

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
              <BeaconWait
                standing={standing}
                round={config.beaconRound}
                drawDate={config.drawDate}
                status={drawStatus}
                now={now}
              />
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

/** Three large digits; dashes while nothing runs, and with reduced motion until the result. */
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
        <b key={place} className={`${styles.tile} figure`} translate="no">
          {text[place] === '-' ? '–' : text[place]}
        </b>
      ))}
    </div>
  )
}

/** The ten seconds; in ten steps with reduced motion. */
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
