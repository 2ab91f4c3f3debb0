import type { PublicDrawStatus } from '../../../core/live/public.ts'
import { shorten } from '../../../core/money.ts'
import { t } from '../texts/index.ts'
import { roundLine, type Standing } from './beacon-standing.ts'
import styles from './Overlay.module.css'

type Props = {
  standing: Standing
  round: number | null
  drawDate: string | null
  status: PublicDrawStatus
  now: number
}

/** On the overlay: the round, the five hashes as soon as they are final, and the time until the round. */
export function BeaconWait({ standing, round, drawDate, status, now }: Props) {
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
      <DrawHashes status={status} className={styles.blocks} />
    </div>
  )
}

/** The five hashes and the SHA-256 over them, as soon as they are final; nothing before. */
export function DrawHashes({
  status,
  className = '',
}: {
  status: PublicDrawStatus
  className?: string | undefined
}) {
  const { blockSeed, drawBlocks } = status
  if (!blockSeed) return null
  return (
    <dl className={`summary ${className}`} aria-label={t.beacon.hashes}>
      {drawBlocks?.map(({ number, hash }) => (
        <div key={number}>
          <dt className="figure" translate="no">
            {number}
          </dt>
          <dd title={hash}>{shorten(hash, 10, 8)}</dd>
        </div>
      ))}
      <div>
        <dt>{t.beacon.blockSeed}</dt>
        <dd title={blockSeed}>{shorten(blockSeed, 10, 8)}</dd>
      </div>
    </dl>
  )
}

const shareOf = (start: number, end: number, now: number): number =>
  Math.min(1, Math.max(0, (now - start) / (end - start)))
