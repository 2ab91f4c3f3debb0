import { useStore } from '@nanostores/react'
import alertIcon from 'lucide-static/icons/circle-alert.svg?raw'
import { useEffect, useState } from 'react'
import type { TermsChange } from '../../../core/event/terms-compare.ts'
import { serverNow } from '../live/clock.ts'
import { $config, heardAt, toldAt } from '../live/live.ts'
import { Icon } from '../shell/Icon.tsx'
import { Trans } from '../shell/Trans.tsx'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import styles from './PromiseNote.module.css'
import { bearsOut, changesSince, followPromise, keptPromises, renewPromise } from './promise.ts'
import { $purchases } from './purchase.ts'

/** As often as the server says that it is there. */
const renewMs = 5_000

/**
 * Terms that changed since this browser bought; of those that break a promise only these. In refund mode none: all money
 * goes back, whatever was promised for the draw.
 */
export function useTermsChanges(): readonly TermsChange[] {
  const config = useStore($config, { ssr: () => undefined })
  // A purchase keeps another promise.
  const purchases = useStore($purchases, { ssr: () => [] })
  const [changes, setChanges] = useState<readonly TermsChange[]>([])
  const { eventNumber, terms, isRefundMode } = config ?? {}
  useEffect(() => {
    const borneOut = bearsOut()
    // Until the buyer's payment is in a block, and while the page stays open.
    const timer = setInterval(() => {
      const shown = $config.get()
      if (shown) renewPromise(shown, toldAt(), borneOut(shown.terms, heardAt()))
    }, renewMs)
    return () => clearInterval(timer)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept grows with the purchases
  useEffect(() => {
    if (!config) return
    let isCurrent = true
    const configToldAt = toldAt()
    void changesSince(keptPromises(config.eventNumber), config).then((found) => {
      if (!isCurrent) return
      followPromise(config, found, { toldAt: configToldAt, now: serverNow() })
      setChanges(found)
    })
    return () => {
      isCurrent = false
    }
  }, [eventNumber, terms, purchases])
  if (isRefundMode) return []
  const broken = changes.filter(({ isAllowed }) => !isAllowed)
  return broken.length > 0 ? broken : changes
}

/** A neutral line for what the rules allow. */
export function ChangedTerms({ changes }: { changes: readonly TermsChange[] }) {
  return (
    <p className={`hint ${styles.changed}`} data-promise="changed">
      <Trans text={t.terms.changed} names={namesOf(changes)} list={<a href="#winner">{t.terms.list}</a>} />
    </p>
  )
}

/** Red, and above what could be bought. */
export function BrokenPromise({ changes }: { changes: readonly TermsChange[] }) {
  return (
    <div className={`note bad ${styles.broken}`} role="alert" data-promise="broken">
      <Icon svg={alertIcon} />
      <p>{fill(t.terms.broken, { names: namesOf(changes) })}</p>
    </div>
  )
}

const namesOf = (changes: readonly TermsChange[]): string =>
  changes.map(({ field }) => t.terms.names[field]).join(', ')
