import type { ReactNode } from 'react'
import styles from './Group.module.css'

type Props = { title: string; reason?: ReactNode; children: ReactNode; id?: string }

/** A card: title and reason on the left, content on the right. */
export function Group({ title, reason, children, id }: Props) {
  return (
    <section className={`${styles.group} card`} aria-label={title} id={id}>
      <div className={styles.name}>
        <h2>{title}</h2>
        {reason && <p>{reason}</p>}
      </div>
      <div className={styles.matter}>{children}</div>
    </section>
  )
}

type ListCardProps = Props & { actions?: ReactNode }

/** A card with a list across its whole width. */
export function ListCard({ title, reason, actions, children, id }: ListCardProps) {
  return (
    <section className={`${styles.list} card`} aria-label={title} id={id}>
      <header className={styles.head}>
        <div>
          <h2>{title}</h2>
          {reason && <p>{reason}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  )
}
