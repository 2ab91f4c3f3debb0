import { $link } from '../live/live.ts'
import { useShown } from '../shell/island.tsx'
import { t } from '../texts/index.ts'
import styles from './records.module.css'

/** In place of a list that has not come yet; says so once the server does not answer. */
export function WaitingList() {
  if (useShown($link) === 'offline') return <p className="empty">{t.away.list}</p>
  return <div className={`rows ${styles.waiting}`} aria-busy="true" />
}
