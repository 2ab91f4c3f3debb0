import checkIcon from 'lucide-static/icons/check.svg?raw'
import copyIcon from 'lucide-static/icons/copy.svg?raw'
import { useState } from 'react'
import type { Address } from 'viem'
import type { PublicConfig } from '../../../core/live/public.ts'
import { unitsText } from '../../../core/money.ts'
import type { PublicPrize } from '../../../core/prize/public.ts'
import { getJson } from '../shell/api.ts'
import { Icon } from '../shell/Icon.tsx'
import { useCopy } from '../shell/use-copy.ts'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { isOtherMoney, isSwapped } from '../wallet/pinned.ts'
import styles from './WinnerClaim.module.css'

/** One unit of the token: no payment is that small. */
const amount = unitsText(1n)

type Props = { config: PublicConfig; prize: PublicPrize; isPast: boolean }

/**
 * The other way to claim, for the day when this site is away; saved with the page, so it is said before. The wallet of the
 * drawn event counts at any time, so that of a past one, which may be another than the one that sells now, is asked for.
 */
export function ClaimByChain({ config, prize: { eventNumber, place }, isPast }: Props) {
  const [found, setFound] = useState<Address | 'failed'>()
  if (isPast ? isOtherMoney(config) : !config.operatorWallet || isSwapped(config)) return null
  const wallet = isPast ? found : config.operatorWallet
  const ask = () => {
    if (!isPast || (found && found !== 'failed')) return
    getJson(`/api/raffle/claim/${eventNumber}`, undefined, `?place=${place}`).then(
      ({ value }) => setFound(value.operatorWallet),
      () => setFound('failed'),
    )
  }
  return (
    <details
      className={styles.chain}
      onToggle={({ currentTarget }) => currentTarget.open && ask()}
      data-claim-by-chain={eventNumber}
    >
      <summary>{t.byChain.title}</summary>
      <p>{fill(t.byChain.text, { amount })}</p>
      {wallet === 'failed' ? (
        <p role="status">{t.prize.troubled}</p>
      ) : wallet ? (
        <Line text={wallet} label={t.copy} />
      ) : (
        <p aria-busy="true">{t.prize.loading}</p>
      )}
      <Line text={amount} label={t.byChain.copyAmount} />
      <p className="hint">{t.byChain.gas}</p>
    </details>
  )
}

function Line({ text, label }: { text: string; label: string }) {
  const { isCopied, copy } = useCopy(text)
  return (
    <div className="address address-row">
      <span>{text}</span>
      <button type="button" onClick={copy}>
        <Icon svg={isCopied ? checkIcon : copyIcon} className="small" />
        <span aria-live="polite">{isCopied ? t.copied : label}</span>
      </button>
    </div>
  )
}
