import infoIcon from 'lucide-static/icons/info.svg?raw'
import alertIcon from 'lucide-static/icons/triangle-alert.svg?raw'
import type { ReactNode } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { Row } from '../../shell/Layout.tsx'
import { t } from '../language/t.ts'
import { Button } from './Button.tsx'

type Props = { tone?: 'plain' | 'bad'; icon?: string; action?: ReactNode; children: ReactNode; role?: string }

/** A sentence that stands out, and what can be done about it. */
export function Note({ tone = 'plain', icon, action, children, role }: Props) {
  return (
    <div className={tone === 'bad' ? 'note bad' : 'note'} role={role}>
      <Icon svg={icon ?? (tone === 'bad' ? alertIcon : infoIcon)} />
      <Row spread>
        <div className="grow">{children}</div>
        {action}
      </Row>
    </div>
  )
}

type ActProps = Omit<Props, 'action' | 'icon'> & { name: string; act: () => unknown; isBusy?: boolean }

/** What is in the way, and the button that does something about it. */
export const ActNote = ({ name, act, isBusy = false, ...note }: ActProps) => (
  <Note
    {...note}
    action={
      <Button tone="edged" size="small" isBusy={isBusy} onClick={() => void act()}>
        {name}
      </Button>
    }
  />
)

export const Retry = ({ text, onRetry }: { text: string; onRetry: () => void }) => (
  <ActNote tone="bad" role="alert" name={t('다시 시도')} act={onRetry}>
    {text}
  </ActNote>
)

export type Tone = 'ok' | 'wait' | 'bad' | 'plain' | 'held'

export function Badge({ tone, icon, children }: { tone: Tone; icon?: string; children: ReactNode }) {
  return (
    <span className={`badge ${tone}`}>
      {icon && <Icon svg={icon} className="small" />}
      {children}
    </span>
  )
}
