import beforeIcon from 'lucide-static/icons/chevron-left.svg?raw'
import nextIcon from 'lucide-static/icons/chevron-right.svg?raw'
import { Icon } from '../../shell/Icon.tsx'
import { count as withCommas } from '../frame/numbers.ts'
import { t } from '../language/t.ts'
import styles from './Pager.module.css'

type Props = { page: number; count: number; onChange: (page: number) => void; label: string }

/** One line for any number of pages; renders nothing for a single page. */
export function Pager({ page, count, onChange, label }: Props) {
  if (count <= 1) return null
  return (
    <nav className={styles.pager} aria-label={label}>
      <button
        type="button"
        aria-label={t('이전 쪽')}
        disabled={page === 1}
        onClick={() => onChange(page - 1)}
      >
        <Icon svg={beforeIcon} />
      </button>
      <span className="figure">
        {withCommas(page)} / {withCommas(count)}
      </span>
      <button
        type="button"
        aria-label={t('다음 쪽')}
        disabled={page === count}
        onClick={() => onChange(page + 1)}
      >
        <Icon svg={nextIcon} />
      </button>
    </nav>
  )
}
