import { t } from '../texts/index.ts'
import styles from './shell.module.css'

type Props = { page: number; count: number; onChange: (page: number) => void; label: string }

/** Numbered pages with previous and next; renders nothing for a single page. */
export function Pages({ page, count, onChange, label }: Props) {
  if (count <= 1) return null
  return (
    <nav className={styles.pages} aria-label={label}>
      <button type="button" disabled={page === 1} onClick={() => onChange(page - 1)}>
        {t.pages.previous}
      </button>
      {Array.from({ length: count }, (_, index) => index + 1).map((number) => (
        <button
          key={number}
          type="button"
          aria-current={number === page ? 'page' : undefined}
          onClick={() => onChange(number)}
        >
          {number}
        </button>
      ))}
      <button type="button" disabled={page === count} onClick={() => onChange(page + 1)}>
        {t.pages.next}
      </button>
    </nav>
  )
}
