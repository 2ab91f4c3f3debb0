import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { isReadOnly, readOnlyText } from '../session/session.ts'
import styles from './form.module.css'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  tone?: 'ink' | 'edged' | 'plain' | 'gold' | 'danger' | 'danger-edged'
  size?: 'normal' | 'small' | 'compact'
  icon?: string | undefined
  isBusy?: boolean
  /** Changes something: a read-only administrator gets a button that is off and says so. */
  writes?: boolean
  children?: ReactNode
}

const tones = {
  ink: '',
  edged: 'edged',
  plain: 'plain',
  gold: 'gold',
  danger: styles.danger,
  'danger-edged': `edged ${styles.edged}`,
} as const

/** A busy button keeps its text and size, and cannot be pressed again. */
export function Button(props: Props) {
  const {
    tone = 'ink',
    size = 'normal',
    icon,
    isBusy = false,
    writes = false,
    disabled,
    children,
    className,
    ...rest
  } = props
  const isBarred = writes && isReadOnly()
  return (
    <button
      type="button"
      {...rest}
      className={['button', tones[tone], size === 'normal' ? '' : size, className].filter(Boolean).join(' ')}
      disabled={disabled || isBusy || isBarred}
      {...(isBarred && { title: readOnlyText })}
      aria-busy={isBusy || undefined}
    >
      {isBusy ? <span className="busy-ring" /> : icon ? <Icon svg={icon} /> : null}
      {children}
    </button>
  )
}
