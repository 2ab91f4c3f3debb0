import checkIcon from 'lucide-static/icons/check.svg?raw'
import questionIcon from 'lucide-static/icons/circle-question-mark.svg?raw'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import { Icon } from '../components/Icon.tsx'
import type { CheckLine } from './check-lines.ts'

const badges = {
  waiting: ['held', 'Waiting'],
  checking: ['wait', 'Checking'],
  passed: ['ok', 'Passed'],
  failed: ['bad', 'Failed'],
  unknown: ['wait', 'No answer'],
  skipped: ['held', 'Not needed'],
} as const

/** One check: what was checked, what was found; a failed one shows expected and found. */
export function CheckRow({ line }: { line: CheckLine }) {
  const { state, title, text, expected, actual, step } = line
  const [tone, word] = badges[state]
  return (
    <li className="check-line" data-step={step} data-state={state}>
      <span className="disc" aria-hidden="true">
        {state === 'passed' && <Icon svg={checkIcon} />}
        {state === 'failed' && <Icon svg={crossIcon} />}
        {state === 'unknown' && <Icon svg={questionIcon} />}
        {state === 'checking' && <span className="busy-ring small" />}
      </span>
      <div className="check-words">
        <h3>{title}</h3>
        {text && <p>{text}</p>}
        {expected !== undefined && (
          <dl className="check-difference">
            <div>
              <dt className="label">Expected</dt>
              <dd className="figure">{expected}</dd>
            </div>
            <div>
              <dt className="label">Found</dt>
              <dd className="figure">{actual}</dd>
            </div>
          </dl>
        )}
      </div>
      <span className={`badge ${tone}`}>{word}</span>
    </li>
  )
}
