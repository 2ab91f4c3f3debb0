import { shorten } from '../../../core/money.ts'
import { useLive } from '../shell/hooks.ts'
import { Figure } from '../shell/Layout.tsx'
import { Trans } from '../shell/Parts.tsx'
import { count } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import type { Moment } from './moment.ts'
import styles from './Overlay.module.css'
import { type OverlayState, statusOf } from './overlay.ts'
import { DrawnList } from './WinnerTicket.tsx'

type Shown = Extract<OverlayState, { kind: 'winner' | 'refund' | 'notice' }>

/** The end of a draw: three gold balls and a ribbon, or the refund notice with its stamp. */
export function Result({
  state,
  moment,
  ticketsSold,
  isCalm,
}: {
  state: Shown
  /** What it means for the connected wallet. */
  moment: Moment | undefined
  ticketsSold: number | undefined
  isCalm: boolean
}) {
  if (state.kind !== 'winner')
    return (
      <div className={styles.result}>
        <span className={`stamp ${styles.stamp}`}>{t.overlay.stamp}</span>
        <div className={styles.ribbon} data-own-motion>
          <h2 id="overlay-title">{t.overlay.refund}</h2>
        </div>
        <p className="lead">{statusOf(state)}</p>
        <Yours moment={moment} />
        <p className="hint">{t.overlay.refundNote}</p>
      </div>
    )
  const { winner, digits } = state
  return (
    <div className={styles.result}>
      {!isCalm && <Chads />}
      <p className="label">{t.overlay.ends}</p>
      <div className={styles.balls}>
        {[...digits].map((digit, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: three fixed places
          <b key={place} className={`${styles.ball} figure`} translate="no">
            <span className={styles.digit} data-digit>
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
      <Yours moment={moment} />
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

/** Winners 2 and on; nothing where there are none. */
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

/** Confetti of dots and small tickets that falls once, outside the middle. */
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
