import { t } from '../texts/index.ts'
import styles from './winner.module.css'

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
})
const timeFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' })

/** Round seal of a finished draw: event and date around, FINAL in the middle. */
export function Seal({ eventNumber, date }: { eventNumber: number; date: string }) {
  const time = new Date(date)
  const isDate = !Number.isNaN(time.getTime())
  const around = `EVENT No. ${eventNumber} · DRAWN ${isDate ? dayFormat.format(time).toUpperCase() : ''} · `
  return (
    <svg className={styles.seal} viewBox="-100 -100 200 200" role="img" aria-label={t.certificate.seal}>
      <defs>
        <path id="seal-path" d="M-69 0a69 69 0 1 1 138 0a69 69 0 1 1-138 0" />
      </defs>
      <g fill="none" stroke="currentColor">
        <circle r="96" strokeWidth="3.5" />
        <circle r="90" strokeWidth="1" />
        <circle r="57" strokeWidth="2" />
      </g>
      <text className={styles.around} textLength="425" lengthAdjust="spacing">
        <textPath href="#seal-path">{around}</textPath>
      </text>
      <text className={styles.word} textAnchor="middle" y="4">
        FINAL
      </text>
      <text className={styles.time} textAnchor="middle" y="26">
        {isDate ? `${timeFormat.format(time)} UTC` : ''}
      </text>
    </svg>
  )
}
