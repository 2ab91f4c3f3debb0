import { shorten } from '../../../core/format.ts'
import { type OverlayState, statusOf } from './overlay-state.ts'

type Shown = Extract<OverlayState, { kind: 'winner' | 'refund' | 'notice' }>

/** The end of a draw: three gold balls and a ribbon, or the refund notice with its stamp. */
export function Result({
  state,
  ticketsSold,
  isCalm,
}: {
  state: Shown
  ticketsSold: number | undefined
  isCalm: boolean
}) {
  if (state.kind !== 'winner')
    return (
      <div className="overlay-result">
        <span className="stamp bad">Refund</span>
        <div className="ribbon">
          <h2 id="overlay-title">Refund Notice</h2>
        </div>
        <p className="lead">{statusOf(state)}</p>
        <p className="overlay-note">
          Every payment goes back in full to the sending address, within 3–5 business days.
        </p>
      </div>
    )
  const { winner, digits } = state
  return (
    <div className="overlay-result">
      {!isCalm && <Chads />}
      <p className="label">The drawn number ends in</p>
      <div className="gold-balls">
        {[...digits].map((digit, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: three fixed places
          <b key={place} className="gold-ball figure">
            <span className="gold-label">{digit}</span>
          </b>
        ))}
      </div>
      <div className="ribbon">
        <h2 id="overlay-title">
          Winner: <span className="figure">{shorten(winner.walletAddress, 6, 4)}</span>
        </h2>
      </div>
      <p className="lead">
        Ticket <b>#{winner.ticketNumber}</b>
        {ticketsSold !== undefined && ` of ${ticketsSold.toLocaleString('en-US')}`}
      </p>
      <p className="overlay-note">Opening the winner page.</p>
    </div>
  )
}

/** Punched dots and tiny tickets falling once, outside the middle. */
function Chads() {
  return (
    <div className="chads" aria-hidden="true">
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

const chads = Array.from({ length: 56 }, (_, n) => {
  const place = (n * 61.803) % 60
  return {
    kind: `chad-${n % 4}`,
    left: `${place < 30 ? place : place + 40}%`,
    animationDelay: `${((n * 37) % 100) * 12}ms`,
    rotate: `${(n * 47) % 180}deg`,
  }
})
