import { lazy, Suspense } from 'react'
import { useFold } from './island.tsx'

const TermsList = lazy(() => import('./TermsList.tsx').then(({ TermsList }) => ({ default: TermsList })))

export function TermsFold({ line, title }: { line: string | undefined; title: string }) {
  const { isOpen, fold } = useFold()
  return (
    <details className="fold ruled" data-terms {...fold}>
      <summary>{title}</summary>
      {isOpen && line && (
        <Suspense>
          <TermsList line={line} />
        </Suspense>
      )}
    </details>
  )
}
