import type { ReactNode } from 'react'
import { Icon } from '../../shell/Icon.tsx'

export type Tone = 'ok' | 'wait' | 'bad' | 'plain' | 'held'

export function Badge({ tone, icon, children }: { tone: Tone; icon?: string; children: ReactNode }) {
  return (
    <span className={`badge ${tone}`}>
      {icon && <Icon svg={icon} className="small" />}
      {children}
    </span>
  )
}
