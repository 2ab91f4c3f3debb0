import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { TermsChange } from '../../../core/terms-compare.ts'
import { $config } from '../live/live.ts'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { changesSince, keptPromises } from './promise.ts'
import { $purchases } from './purchase.ts'

/** Terms that changed since this browser bought: a neutral line for what the rules allow, else a red one. */
export function PromiseNote() {
  const config = useStore($config, { ssr: () => undefined })
  // A purchase keeps another promise.
  const purchases = useStore($purchases, { ssr: () => [] })
  const [changes, setChanges] = useState<readonly TermsChange[]>([])
  const { eventNumber, terms, isRefundMode } = config ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept grows with the purchases
  useEffect(() => {
    if (eventNumber === undefined || terms === undefined) return
    let isCurrent = true
    void changesSince(keptPromises(eventNumber), terms).then((found) => isCurrent && setChanges(found))
    return () => {
      isCurrent = false
    }
  }, [eventNumber, terms, purchases])
  // In refund mode all money goes back, whatever was promised for the draw.
  if (changes.length === 0 || isRefundMode) return null
  const broken = changes.filter(({ isAllowed }) => !isAllowed)
  const names = (broken.length > 0 ? broken : changes).map(({ field }) => t.terms.names[field]).join(', ')
  return broken.length > 0 ? (
    <p className="note bad" role="alert" data-promise="broken">
      {fill(t.terms.broken, { names })}
    </p>
  ) : (
    <p className="hint" data-promise="changed">
      {fill(t.terms.changed, { names })}
    </p>
  )
}
