import { useStore } from '@nanostores/react'
import { $link } from '../live/live.ts'
import { t } from '../texts/index.ts'
import winnerStyles from './records.module.css'

/** In place of a list that has not come yet; says so once the server does not answer. */
export function WaitingList() {
  const isAway = useStore($link, { ssr: () => 'connecting' as const }) === 'offline'
  if (isAway) return <p className="empty">{t.away.list}</p>
  return <div className={`rows ${winnerStyles.waiting}`} aria-busy="true" />
}
