import eyeOffIcon from 'lucide-static/icons/eye-off.svg?raw'
import refundIcon from 'lucide-static/icons/undo-2.svg?raw'
import type { ReactNode } from 'react'
import type { PublicConfig } from '../../../core/live/public.ts'
import { $myTickets } from '../buy/my-tickets.ts'
import { $now } from '../live/clock.ts'
import { $link } from '../live/live.ts'
import { hasWinner } from '../live/stage.ts'
import { Icon } from '../shell/Icon.tsx'
import { island, useLive, useShown } from '../shell/island.tsx'
import { Muted, Stack } from '../shell/Layout.tsx'
import { When } from '../shell/Parts.tsx'
import { fill, lang, plural, t } from '../texts/index.ts'
import { $isDialogOpen, $wallet } from '../wallet/wallet.ts'
import { beaconStanding, DrawHashes, roundLine, sourceOf } from './BeaconWait.tsx'
import { useEventPrizes } from './event-prizes.ts'
import { type Moment, momentOf } from './moment.ts'
import { refundWhy } from './overlay.ts'
import { Prizes } from './PrizeRecord.tsx'
import { prizeHeldBy } from './prizes.ts'
import { WinnerClaim } from './WinnerClaim.tsx'
import { OtherWinners, WinnerTicket } from './WinnerTicket.tsx'
import styles from './winner.module.css'

export const WinnerBoard = island(function WinnerBoard() {
  const known = useLive()
  const { config, winner, winners, prizes, history, drawStatus, stats } = known
  const report = useShown($myTickets)
  const { address } = useShown($wallet)
  const now = useShown($now)
  const isAway = useShown($link) === 'offline'
  if (!config || !drawStatus || winner === undefined) return isAway ? <Away /> : <Waiting />

  const isRefund = config.isRefundMode || drawStatus.isRefundMode
  const moment = momentOf(known, report)
  if (hasWinner(winner)) {
    const { eventNumber } = winner
    const drawn = winners?.filter((each) => each.eventNumber === eventNumber) ?? []
    const own = prizes?.filter((prize) => prize.eventNumber === eventNumber) ?? []
    const claim = !isRefund && <WinnerClaim prizes={own} config={config} />
    const isHolder = prizeHeldBy(own, address) !== undefined
    const past = history?.find((item) => item.eventNumber === eventNumber)
    return (
      <Stack gap={20}>
        {(moment || isHolder) && <Yours moment={moment}>{isHolder && claim}</Yours>}
        <WinnerTicket
          winner={winner}
          prize={past?.names?.[0]?.[lang] ?? ''}
          drawDate={config.drawDate}
          count={drawn.filter(({ kind }) => kind === 'winner').length}
        />
        <OtherWinners drawn={drawn} />
        {isRefund && (
          <div className="note bad">
            <Icon svg={refundIcon} />
            <div>
              <p>
                <b>{t.winner.refundInfo}</b> {t.winner.refundInfoText}
              </p>
              <OpenRefund eventNumber={config.eventNumber} />
            </div>
          </div>
        )}
        {/* Who is told that he has lost need not hear that another wallet can sign. */}
        {!isHolder && moment?.kind !== 'lost' && claim}
        {!isRefund && <Prizes prizes={own} />}
      </Stack>
    )
  }
  // A stopped sale has no draw to come.
  const noDate = isRefund ? t.none.notAvailable : t.none.tbd
  const state = (title: string, tone: string, text: string, more?: ReactNode) => (
    <div className={styles.panel} data-tone={tone} role="status">
      <Stack className="gap-12">
        <h2>{title}</h2>
        <p>{text}</p>
        {more}
      </Stack>
      <dl>
        <dt className="label">{t.winner.schedule}</dt>
        <dd>{config.drawDate ? <When value={config.drawDate} /> : noDate}</dd>
        {!isRefund && <dt className="label">{t.beacon.source}</dt>}
        {!isRefund && <dd>{sourceOf(config)}</dd>}
      </dl>
    </div>
  )
  if (isRefund)
    return (
      <Stack gap={20}>
        {moment && <Yours moment={moment} />}
        {state(
          t.winner.refundTitle,
          'bad',
          `${refundWhy(drawStatus.refundReason)}. ${t.winner.refund}`,
          <OpenRefund
            eventNumber={config.eventNumber}
            done={!moment && stats?.ticketsSold ? t.moment.all : undefined}
          />,
        )}
      </Stack>
    )
  if (drawStatus.isWinnerHidden)
    return (
      <Stack gap={20}>
        {state(t.winner.awaiting, 'now', t.winner.awaitingText)}
        <HiddenWinner config={config} />
      </Stack>
    )
  if (drawStatus.isDrawing) return state(t.winner.drawing, 'now', t.winner.drawingText)
  const standing = beaconStanding(config, drawStatus, now)
  if (config.drawDate && Date.parse(config.drawDate) <= now)
    return state(
      t.winner.awaiting,
      'now',
      standing && standing !== 'named' ? t.beacon[standing] : t.winner.awaitingText,
      standing && (
        <>
          {config.beaconRound !== null && (
            <p className={`figure ${styles.round}`} translate="yes" data-beacon={standing}>
              {roundLine(config.beaconRound, drawStatus.beaconDueAt, now)}
            </p>
          )}
          <DrawHashes status={drawStatus} />
        </>
      ),
    )
  return state(t.winner.scheduled, '', t.winner.scheduledText, standing && <p>{t.beacon.named}</p>)
})

function Yours({ moment, children }: { moment: Moment | undefined; children?: ReactNode }) {
  return (
    <section
      className={`stack gap-20 ${styles.yours}`}
      aria-label={t.moment.title}
      data-moment={moment?.kind}
    >
      {moment && (
        <Stack gap={8}>
          <p className="h3-display">{moment.title}</p>
          {moment.text && <Muted>{moment.text}</Muted>}
        </Stack>
      )}
      {children}
    </section>
  )
}

/** Winners are hidden, and turns run on: a holder finds his claim, nobody else is told whose it is. @internal */
export function HiddenWinner({ config }: { config: PublicConfig }) {
  const { address } = useShown($wallet)
  const { version } = useLive()
  const found = useEventPrizes(address && config.eventNumber, `${version}`)
  const own = Array.isArray(found) ? prizeHeldBy(found, address) : undefined
  return (
    <>
      <div className="note" data-hidden-winner>
        <Icon svg={eyeOffIcon} />
        <div>
          <p>{t.winner.hidden}</p>
          {!address && (
            <button type="button" className="button edged compact" onClick={() => $isDialogOpen.set(true)}>
              {t.claim.connect}
            </button>
          )}
          {address && found && !own && (
            <p role="status">{found === 'failed' ? t.claim.unreachable : t.winner.hiddenFromOthers}</p>
          )}
        </div>
      </div>
      {own && <WinnerClaim prizes={[own]} config={config} />}
    </>
  )
}

/** How long refunds have taken, and `done` once nobody waits for one. */
export function OpenRefund({ eventNumber, done }: { eventNumber: number; done?: string | undefined }) {
  const { drawStatus } = useLive()
  const refund = drawStatus?.refunds.find((one) => one.eventNumber === eventNumber)
  if (!refund) return drawStatus && done ? <p>{done}</p> : null
  const { days, paid, open } = refund
  const since = days === 0 ? t.openRefund.today : plural(t.openRefund.days, days)
  return (
    <p data-refunds={eventNumber}>
      {since} {fill(t.openRefund.paid, { paid, all: paid + open })}
    </p>
  )
}

const Waiting = () => (
  <div className={styles.panel} aria-busy="true">
    <Stack gap={16} className={styles.bones}>
      <span className="bone" />
      <span className="bone" />
    </Stack>
  </div>
)

function Away() {
  return (
    <div className={styles.panel} role="status">
      <Stack>
        <h2>{t.away.title}</h2>
        <p>{t.away.text}</p>
      </Stack>
    </div>
  )
}
