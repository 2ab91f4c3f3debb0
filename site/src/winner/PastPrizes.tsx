import { useStore } from '@nanostores/react'
import type { PublicPrizeState } from '../../../core/live/public.ts'
import { $config, $winner } from '../live/live.ts'
import { useFold } from '../shell/use-fold.ts'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { useEventPrizes } from './event-prizes.ts'
import styles from './PastWinners.module.css'
import { PrizeBadge, PrizeRecords } from './PrizeRecord.tsx'
import { shortStanding, toneOf } from './prizes.ts'
import { WinnerClaim } from './WinnerClaim.tsx'

type Props = { eventNumber: number; prizes: readonly PublicPrizeState[] }

/**
 * Where a past event's prizes stand; the whole record is asked for when somebody wants to know. Turns run on while the next
 * event sells, so it is claimed here then.
 */
export function PastPrizes({ eventNumber, prizes }: Props) {
  const { isOpen, fold } = useFold()
  const config = useStore($config, { ssr: () => undefined })
  const winner = useStore($winner, { ssr: () => undefined })
  // The announced event stands in this list too; its card is on the board.
  const isBehind = config && winner?.eventNumber !== eventNumber
  const found = useEventPrizes(isOpen ? eventNumber : undefined, JSON.stringify(prizes))
  const standings = prizes.map(shortStanding)
  const [only] = standings
  const done = standings.filter((standing) => toneOf(standing) === 'ok').length
  return (
    <details className={styles.prizes} data-past-prizes={eventNumber} {...fold}>
      <summary>
        {t.prize.open}{' '}
        {standings.length === 1 && only ? (
          <PrizeBadge standing={only} />
        ) : (
          <span className="badge">{fill(t.prize.done, { done, all: standings.length })}</span>
        )}
      </summary>
      {found === 'failed' ? (
        <p role="status">{t.prize.troubled}</p>
      ) : found ? (
        <>
          {isBehind && <WinnerClaim prizes={found} config={config} isPast />}
          <PrizeRecords prizes={found} />
        </>
      ) : (
        isOpen && <p aria-busy="true">{t.prize.loading}</p>
      )}
    </details>
  )
}
