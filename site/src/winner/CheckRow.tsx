import checkIcon from 'lucide-static/icons/check.svg?raw'
import questionIcon from 'lucide-static/icons/circle-question-mark.svg?raw'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import { Icon } from '../shell/Icon.tsx'
import { t } from '../texts/index.ts'
import styles from './CheckRow.module.css'
import type { CheckLine } from './check-lines.ts'

const tones = {
  waiting: 'held',
  checking: 'wait',
  passed: 'ok',
  failed: 'bad',
  open: 'wait',
} as const

/** One check: what was checked, what was found; a failed one shows expected and found. */
export function CheckRow({ line }: { line: CheckLine }) {
  const { state, title, text, difference, step } = line
  return (
    <li className={styles.line} data-step={step} data-state={state}>
      <span className="disc" aria-hidden="true">
        {state === 'passed' && <Icon svg={checkIcon} />}
        {state === 'failed' && <Icon svg={crossIcon} />}
        {state === 'open' && <Icon svg={questionIcon} />}
        {state === 'checking' && <span className="busy-ring small" />}
      </span>
      <div className="check-words">
        <h3>{title}</h3>
        {text && <p>{text}</p>}
        {difference && (
          <dl className={styles.difference}>
            <div>
              <dt className="label">{t.check.expected}</dt>
              <dd className="figure">{difference.expected}</dd>
            </div>
            <div>
              <dt className="label">{t.check.found}</dt>
              <dd className="figure">{difference.actual}</dd>
            </div>
          </dl>
        )}
      </div>
      <span className={`badge ${tones[state]}`}>{t.check.badges[state]}</span>
    </li>
  )
}
