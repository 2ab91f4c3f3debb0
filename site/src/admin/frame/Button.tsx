import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon } from '../../shell/Icon.tsx'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  tone?: 'ink' | 'edged' | 'plain' | 'gold' | 'danger' | 'danger-edged'
  size?: 'normal' | 'small' | 'compact'
  icon?: string | undefined
  isBusy?: boolean
  children?: ReactNode
}

const tones = { ink: '', edged: 'edged', plain: 'plain', gold: 'gold', danger: 'danger' } as const

/** A busy button keeps its text and size, and cannot be pressed again. */
export function Button(props: Props) {
  const {
    tone = 'ink',
    size = 'normal',
    icon,
    isBusy = false,
    disabled,
    children,
    className,
    ...rest
  } = props
  const look = tone === 'danger-edged' ? 'edged danger' : tones[tone]
  return (
    <button
      type="button"
      {...rest}
      className={['button', look, size === 'normal' ? '' : size, className].filter(Boolean).join(' ')}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
    >
      {isBusy ? <span className="busy-ring" /> : icon ? <Icon svg={icon} /> : null}
      {children}
    </button>
  )
}
