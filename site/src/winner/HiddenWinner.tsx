import { useStore } from '@nanostores/react'
import eyeOffIcon from 'lucide-static/icons/eye-off.svg?raw'
import type { PublicConfig } from '../../../core/live/public.ts'
import { $live } from '../live/live.ts'
import { Icon } from '../shell/Icon.tsx'
import { t } from '../texts/index.ts'
import { $isDialogOpen, $wallet, type Wallet } from '../wallet/wallet.ts'
import { useEventPrizes } from './event-prizes.ts'
import { prizeHeldBy } from './prizes.ts'
import { WinnerClaim } from './WinnerClaim.tsx'
import winnerStyles from './winner.module.css'

const noWallet: Wallet = { status: 'disconnected' }

/** The operator hid the winners, and their turns run on: whoever holds a prize finds his claim, and nobody else is told whose it is. */
export function HiddenWinner({ config }: { config: PublicConfig }) {
  const { address } = useStore($wallet, { ssr: () => noWallet })
  const { version } = useStore($live, { ssr: () => ({}) })
  const found = useEventPrizes(address && config.eventNumber, `${version}`)
  const own = Array.isArray(found) ? prizeHeldBy(found, address) : undefined
  return (
    <>
      <div className={`note ${winnerStyles.next}`} data-hidden-winner>
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
