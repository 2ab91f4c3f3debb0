import { t } from '../texts/index.ts'
import type { CheckSummary } from './check-lines.ts'

const tones = { verified: 'ok', incomplete: 'wait', contradicted: 'bad' } as const

/** The verdict, one of three words once all checks are done, and what the node lacks for the missing ones. */
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
