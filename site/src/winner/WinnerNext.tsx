import refundIcon from 'lucide-static/icons/undo-2.svg?raw'
import type { PublicWinner } from '../../../core/public.ts'
import { Icon } from '../shell/Icon.tsx'
import { t } from '../texts/index.ts'
import { WinnerClaim } from './WinnerClaim.tsx'
import styles from './winner.module.css'

type Props = { isRefund: boolean; winner: PublicWinner; formUrl: string | null }

/** What the winner does now; in refund mode, what happens to the payments instead. */
export function WinnerNext({ isRefund, winner, formUrl }: Props) {
  if (isRefund)
    return (
      <div className={`note bad ${styles.next}`}>
        <Icon svg={refundIcon} />
        <p>
          <b>{t.winner.refundInfo}</b> {t.winner.refundInfoText}
        </p>
      </div>
    )
  return <WinnerClaim winner={winner} formUrl={formUrl} />
}
