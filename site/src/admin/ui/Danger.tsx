import alertIcon from 'lucide-static/icons/triangle-alert.svg?raw'
import type { ReactNode } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import styles from './Danger.module.css'

/** A red border around actions that cannot be undone, at the end of a tab. */
export function DangerZone({ children }: { children: ReactNode }) {
  return (
    <section className={styles.zone} aria-label={t('위험 구역')}>
      <h2>
        <Icon svg={alertIcon} />
        {t('위험 구역')}
      </h2>
      {children}
    </section>
  )
}

type ActProps = { title: string; children: ReactNode; button: ReactNode; fields?: ReactNode }

/** What the action does and what cannot be undone, and its button, which asks for confirmation. */
export function DangerAct({ title, children, button, fields }: ActProps) {
  return (
    <div className={styles.act}>
      <div>
        <h3>{title}</h3>
        <p>{children}</p>
        {fields}
      </div>
      {button}
    </div>
  )
}
