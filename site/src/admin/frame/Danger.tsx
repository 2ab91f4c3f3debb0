import alertIcon from 'lucide-static/icons/triangle-alert.svg?raw'
import type { ReactNode } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import styles from './Danger.module.css'

/** A red line around what cannot be taken back, at the foot of a tab. */
export function DangerZone({ children }: { children: ReactNode }) {
  return (
    <section className={styles.zone} aria-label="위험 구역">
      <h2>
        <Icon svg={alertIcon} />
        위험 구역
      </h2>
      {children}
    </section>
  )
}

type ActProps = { title: string; children: ReactNode; button: ReactNode }

/** What it does and what cannot be undone, and the button that asks once more. */
export function DangerAct({ title, children, button }: ActProps) {
  return (
    <div className={styles.act}>
      <div>
        <h3>{title}</h3>
        <p>{children}</p>
      </div>
      {button}
    </div>
  )
}
