import type { PublicConfig, PublicDrawStatus } from '../../../core/live/public.ts'
import { shorten } from '../../../core/money.ts'
import { formatDate } from '../shell/dates.ts'
import { Fact } from '../shell/Parts.tsx'
import { fill, t } from '../texts/index.ts'
import styles from './Overlay.module.css'

type Props = { standing: Standing; config: PublicConfig; status: PublicDrawStatus; now: number }

export function BeaconWait({ standing, config, status, now }: Props) {
  const { beaconRound: round, drawDate } = config
  const { beaconDueAt } = status
  const isCounting = standing === 'waiting' && drawDate && beaconDueAt
  return (
    <div className="stack gap-20" data-beacon={standing}>
      {round !== null && (
        <p className={`figure ${styles.round}`} translate="yes">
          {roundLine(round, beaconDueAt, now)}
        </p>
      )}
      {isCounting && (
        <div className={styles.bar} aria-hidden="true">
          <span
            style={{ transform: `scaleX(${shareOf(Date.parse(drawDate), Date.parse(beaconDueAt), now)})` }}
          />
        </div>
      )}
      <DrawHashes status={status} />
    </div>
  )
}

export function DrawHashes({ status: { blockSeed, drawBlocks } }: { status: PublicDrawStatus }) {
  if (!blockSeed) return null
  return (
    <dl className={`summary ${styles.blocks}`} aria-label={t.beacon.hashes}>
      {drawBlocks?.map(({ number, hash }) => (
        <div key={number}>
          <dt className="figure" translate="no">
            {number}
          </dt>
          <dd title={hash}>{shorten(hash, 10, 8)}</dd>
        </div>
      ))}
      <Fact name={t.beacon.blockSeed} title={blockSeed}>
        {shorten(blockSeed, 10, 8)}
      </Fact>
    </dl>
  )
}

const shareOf = (start: number, end: number, now: number): number =>
  Math.min(1, Math.max(0, (now - start) / (end - start)))

/** How a draw stands that takes a round of drand, from the draw date's announcement to the signature. */
type Standing = 'named' | 'settling' | 'waiting' | 'due' | 'late' | 'found'

/** A round that is not there this long after its time is called late. */
const lateMs = 15_000
/** Farther away a date says more than a countdown. */
const countedMs = 3_600_000

type Status = Pick<PublicDrawStatus, 'beacon' | 'beaconDueAt' | 'blockSeed' | 'isRefundMode'>

/** By the server's clock. Undefined where no round is mixed in, or none is waited for any more. */
export function beaconStanding(
  { drawDate }: Pick<PublicConfig, 'drawDate'>,
  { beacon, beaconDueAt, blockSeed, isRefundMode }: Status,
  now: number,
): Standing | undefined {
  if (!beacon || isRefundMode || !drawDate) return undefined
  if (beacon === 'found') return 'found'
  if (!blockSeed) return now < Date.parse(drawDate) ? 'named' : 'settling'
  const due = beaconDueAt ? Date.parse(beaconDueAt) : Number.POSITIVE_INFINITY
  if (beacon === 'sealed' && now < due) return 'waiting'
  return now < due + lateMs ? 'due' : 'late'
}

/** "Round 34,441,032 in 43 s"; with its date while it is far away, alone when it is due. */
export function roundLine(round: number, dueAt: string | null, now: number): string {
  const left = dueAt ? Date.parse(dueAt) - now : 0
  if (left <= 0) return fill(t.beacon.round, { round })
  if (left > countedMs) return fill(t.beacon.roundAt, { round, date: formatDate(dueAt) })
  return fill(t.beacon.roundIn, { round, time: shortTime(Math.ceil(left / 1000)) })
}

export function sourceOf({ entropy, beaconRound }: Pick<PublicConfig, 'entropy' | 'beaconRound'>): string {
  if (entropy === 'blocks') return t.beacon.blocks
  return beaconRound === null ? t.beacon.someRound : fill(t.beacon.blocksAndRound, { round: beaconRound })
}

/** "43 s", "12:05". */
function shortTime(seconds: number): string {
  if (seconds < 100) return fill(t.beacon.seconds, { count: seconds })
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`
}
