import { formatDate, localTime } from './dates.ts'
import styles from './shell.module.css'

/** A date in UTC, and the visitor's local time where it differs. */
export function When({ value }: { value: string }) {
  const local = localTime(value)
  return (
    <time dateTime={value}>
      {formatDate(value)}
      {local && <small className={styles.local}>{local}</small>}
    </time>
  )
}
