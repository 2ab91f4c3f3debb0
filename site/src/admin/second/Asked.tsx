import type { Approval } from '../frame/types.ts'
import { auditChanges } from '../security/audit-changes.ts'
import styles from './SecondPerson.module.css'

/** What it would change, field by field, and first of all whom or what. */
export function Asked({ item: { before, after } }: { item: Approval }) {
  const subject = subjectOf(after) ?? subjectOf(before)
  const changes = auditChanges(before, after).filter(({ to }) => to !== subject)
  return (
    <dl className={styles.asked}>
      {subject && <dt className="figure">{subject}</dt>}
      {changes.map(({ label, from, to }) => (
        <dd key={label}>
          <span>{label}</span> {from !== undefined && <s className="figure">{from}</s>}{' '}
          <b className="figure">{to}</b>
        </dd>
      ))}
    </dl>
  )
}

/** The name that an audit row leaves out where it has not changed. */
function subjectOf(value: unknown): string | undefined {
  const { username, address, transactionHash } = (value ?? {}) as Record<string, unknown>
  return [username, address, transactionHash].find((one) => typeof one === 'string') as string | undefined
}
