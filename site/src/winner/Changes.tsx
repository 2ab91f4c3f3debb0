import { useEffect, useState } from 'react'
import type { PublicChange } from '../../../core/live/public.ts'
import { island, useLive, useShown } from '../shell/island.tsx'
import { Muted, Text } from '../shell/Layout.tsx'
import { Paged } from '../shell/Parts.tsx'
import { fill, t } from '../texts/index.ts'
import { describe, loadChanges, nameOf } from './changes.ts'
import { $chosenEvent } from './check.ts'
import { WaitingList } from './WaitingList.tsx'

export const Changes = island(function Changes() {
  const chosen = useShown($chosenEvent)
  const { config, version } = useLive()
  const [changes, setChanges] = useState<PublicChange[]>()
  const eventNumber = chosen ?? config?.eventNumber

  // The list can change only when the version does.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version loads the list again
  useEffect(() => {
    const stop = new AbortController()
    const wait = setTimeout(async () => {
      try {
        setChanges(await loadChanges(stop.signal))
      } catch {
        // The known list stays; the next version loads it again.
      }
    }, 300)
    return () => {
      clearTimeout(wait)
      stop.abort()
    }
  }, [version])

  if (!changes || eventNumber === undefined) return <WaitingList />
  const own = changes.filter((change) => change.eventNumber === eventNumber)
  if (own.length === 0) return <p className="empty">{fill(t.changes.none, { event: `${eventNumber}` })}</p>
  return (
    <div>
      <p className="label">{fill(t.changes.event, { event: `${eventNumber}` })}</p>
      <Paged items={own} size={6} label={t.changes.pages}>
        {(shown) => (
          <ul className="rows" aria-label={fill(t.changes.list, { event: `${eventNumber}` })}>
            {shown.map((change) => (
              <li key={`${change.at} ${change.field} ${change.to}`}>
                <time className="figure muted size-14" translate="no" dateTime={change.at} title={change.at}>
                  {change.at.slice(5, 10).replace('-', '/')} {change.at.slice(11, 19)}
                </time>
                <Text strong size={15}>
                  {nameOf(change)}
                </Text>
                <Muted size={15}>{describe(change)}</Muted>
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </div>
  )
})
