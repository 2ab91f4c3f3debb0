import type { ReactNode } from 'react'
import { TicketOutline } from '../../shell/TicketOutline.tsx'
import { t } from '../language/t.ts'
import { Button } from './Button.tsx'
import { Note } from './Note.tsx'
import styles from './States.module.css'
import type { Resource } from './use-resource.ts'

/** Flat bars where the rows will be. */
export function SkeletonRows({ rows = 4 }: { rows?: number }) {
  return (
    <ul className={`rows ${styles.bones}`} aria-busy="true" aria-label={t('불러오는 중')}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <li key={row} data-skeleton>
          <span className="bone" />
          <span className={`bone ${styles.short}`} />
        </li>
      ))}
    </ul>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={`empty ${styles.empty}`}>
      <TicketOutline />
      <p className="empty-title">{title}</p>
      {children && <p>{children}</p>}
    </div>
  )
}

export function Retry({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <Note
      tone="bad"
      role="alert"
      action={
        <Button tone="edged" size="small" onClick={onRetry}>
          {t('다시 시도')}
        </Button>
      }
    >
      {text}
    </Note>
  )
}

/** A resource in its states: loading, failed, loaded (with a notice above if the last refresh failed). */
export function Loaded<T>(props: { from: Resource<T>; rows?: number; children: (data: T) => ReactNode }) {
  const { from, rows, children } = props
  return (
    <>
      {from.trouble && <Retry text={from.trouble} onRetry={() => void from.reload()} />}
      {from.data !== undefined ? (
        children(from.data)
      ) : from.trouble ? null : (
        <SkeletonRows rows={rows ?? 4} />
      )}
    </>
  )
}
