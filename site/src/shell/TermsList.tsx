import checkIcon from 'lucide-static/icons/check.svg?raw'
import copyIcon from 'lucide-static/icons/copy.svg?raw'
import { parseTerms, termsFields } from '../../../core/event/terms.ts'
import { t } from '../texts/index.ts'
import { Icon } from './Icon.tsx'
import styles from './TermsList.module.css'
import { termText } from './term-text.ts'
import { useCopy } from './use-copy.ts'

/** The terms line with a name and a readable value for each field; the line as it is, folded. */
export function TermsList({ line }: { line: string }) {
  const terms = parseTerms(line)
  return (
    <>
      {terms && (
        <dl className={`summary ${styles.list}`}>
          {termsFields.map((field) => (
            <div key={field}>
              <dt>{field === 'eventNumber' ? t.terms.event : t.terms.names[field]}</dt>
              <dd title={terms[field]}>{termText(field, terms[field])}</dd>
            </div>
          ))}
        </dl>
      )}
      <details className={styles.line}>
        <summary>{t.terms.line}</summary>
        <p className="hint">{t.terms.lineText}</p>
        <p className="address" data-terms-line>
          {line.trimEnd()}
        </p>
        <CopyLine line={line} />
      </details>
    </>
  )
}

function CopyLine({ line }: { line: string }) {
  const { isCopied, copy } = useCopy(line)
  return (
    <button type="button" className="button edged compact" onClick={copy}>
      <Icon svg={isCopied ? checkIcon : copyIcon} className="small" />
      <span aria-live="polite">{isCopied ? t.copied : t.copy}</span>
    </button>
  )
}
