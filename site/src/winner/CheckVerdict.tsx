import { t } from '../texts/index.ts'
import styles from './CheckVerdict.module.css'
import type { CheckSummary } from './check-lines.ts'

const tones = { verified: 'ok', incomplete: 'wait', contradicted: 'bad' } as const

/** The verdict, one of three words once all checks are done, what was not checked, and what to do after a failed one. */
export function CheckVerdict({ summary: { verdict, text, open, next } }: { summary: CheckSummary }) {
  return (
    <div role="status" className={styles.verdict} data-verdict={verdict}>
      {verdict && <span className={`badge ${tones[verdict]}`}>{t.check.verdicts[verdict]}</span>}
      <p>
        <b>{text}</b>
      </p>
      {open.length > 0 && (
        <ul>
          {open.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      )}
      {next.map((each) => (
        <p key={each} className="hint">
          {each}
        </p>
      ))}
    </div>
  )
}
