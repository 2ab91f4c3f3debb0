import checkIcon from 'lucide-static/icons/check.svg?raw'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import { Badge } from '../ui/Badge.tsx'
import styles from './Checks.module.css'

type Item = { name: string; found: string; state: 'passed' | 'waiting' | 'failed'; isAdvice?: boolean }

/** A list of checks: for each a disc, its name, the finding and a one-word result. */
export function Checks({ label, items }: { label: string; items: readonly Item[] }) {
  return (
    <ul className={styles.checks} aria-label={label}>
      {items.map(({ name, found, state, isAdvice }) => (
        <li key={name} data-state={state}>
          <span className="disc" aria-hidden="true">
            {state === 'passed' && <Icon svg={checkIcon} />}
            {state === 'failed' && <Icon svg={crossIcon} />}
          </span>
          <div>
            <h3>{name}</h3>
            <p>{found}</p>
          </div>
          {state === 'passed' ? (
            <Badge tone="ok">{t('충족')}</Badge>
          ) : state === 'failed' ? (
            <Badge tone="bad">{t('불가')}</Badge>
          ) : (
            <Badge tone="held">{isAdvice ? t('선택') : t('대기')}</Badge>
          )}
        </li>
      ))}
    </ul>
  )
}
