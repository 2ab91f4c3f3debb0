import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import styles from './TermsFold.module.css'

// Few visitors open it.
const TermsList = lazy(() => import('./TermsList.tsx').then(({ TermsList }) => ({ default: TermsList })))

/** What an event promises, folded: field by field, and the line itself. */
export function TermsFold({ line, title }: { line: string | undefined; title: string }) {
  const [isShown, setShown] = useState(false)
  const fold = useRef<HTMLDetailsElement>(null)
  // It may have been opened before the page's scripts had started.
  useEffect(() => {
    if (fold.current?.open) setShown(true)
  }, [])
  return (
    <details
      ref={fold}
      className={styles.terms}
      data-terms
      onToggle={(event) => setShown(event.currentTarget.open || isShown)}
    >
      <summary>{title}</summary>
      {isShown && line && (
        <Suspense>
          <TermsList line={line} />
        </Suspense>
      )}
    </details>
  )
}
