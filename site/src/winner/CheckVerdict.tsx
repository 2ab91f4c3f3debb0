import { t } from '../texts/index.ts'
import type { CheckSummary } from './check-lines.ts'

const tones = { verified: 'ok', incomplete: 'wait', contradicted: 'bad' } as const

/** What the checks come to: one of three words once all are done, and what a node would have needed for more. */
export function CheckVerdict({ summary: { verdict, text, lacks } }: { summary: CheckSummary }) {
  return (
    <div role="status" data-verdict={verdict}>
      {verdict && <span className={`badge ${tones[verdict]}`}>{t.check.verdicts[verdict]}</span>}
      <p>
        <b>{text}</b>
      </p>
      {lacks.map((lack) => (
        <p key={lack} className="hint">
          {lack}
        </p>
      ))}
    </div>
  )
}
