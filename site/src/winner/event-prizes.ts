import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { $prizes } from '../live/live.ts'
import { getJson } from '../shell/api.ts'

type Found = { eventNumber: number; prizes: PublicPrize[] | 'failed' }

/** By the stream for the running event, else by the server; undefined while asked. Another `standing` asks again, the old answer stays. */
export function useEventPrizes(
  eventNumber: number | undefined,
  standing = '',
): PublicPrize[] | 'failed' | undefined {
  const live = useStore($prizes, { ssr: () => undefined })
  const [found, setFound] = useState<Found>()
  const told = live?.[0]?.eventNumber === eventNumber ? live : undefined
  const isAsked = eventNumber !== undefined && told === undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: another standing is what to ask again for
  useEffect(() => {
    if (!isAsked) return
    const stop = new AbortController()
    const tell = (prizes: Found['prizes']) => {
      if (stop.signal.aborted) return
      const isKept = (old: Found | undefined) => prizes === 'failed' && old?.eventNumber === eventNumber
      setFound((old) => (isKept(old) ? old : { eventNumber, prizes }))
    }
    getJson(`/api/raffle/prizes/${eventNumber}`, stop.signal).then(
      ({ value }) => tell(value),
      () => tell('failed'),
    )
    return () => stop.abort()
  }, [eventNumber, isAsked, standing])
  return told ?? (found?.eventNumber === eventNumber ? found?.prizes : undefined)
}
