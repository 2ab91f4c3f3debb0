import infoIcon from 'lucide-static/icons/info.svg?raw'
import alertIcon from 'lucide-static/icons/triangle-alert.svg?raw'
import type { ReactNode } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import styles from './Note.module.css'

type Props = { tone?: 'plain' | 'bad'; icon?: string; action?: ReactNode; children: ReactNode; role?: string }

export function Note({ tone = 'plain', icon, action, children, role }: Props) {
  return (
    <div className={tone === 'bad' ? 'note bad' : 'note'} role={role}>
      <Icon svg={icon ?? (tone === 'bad' ? alertIcon : infoIcon)} />
      <div className={styles.matter}>
        <div>{children}</div>
        {action}
      </div>
    </div>
  )
}
