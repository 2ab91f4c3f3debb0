import badIcon from 'lucide-static/icons/circle-alert.svg?raw'
import lockIcon from 'lucide-static/icons/lock.svg?raw'
import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react'
import { typedCode } from '../../../../core/typed-code.ts'
import { Icon } from '../../shell/Icon.tsx'
import styles from './form.module.css'

type Shell = {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Since when the field is locked. */
  locked?: string | undefined
}
type Ids = { id: string; 'aria-describedby': string; 'aria-invalid': boolean }

/** Label above, hint or error below; screen readers read the error with the field. */
export function Field(props: Shell & { children: (ids: Ids) => ReactNode }) {
  const { label, hint, error, locked, children } = props
  const id = useId()
  const ids = { id, 'aria-describedby': `${id}-help`, 'aria-invalid': Boolean(error) }
  return (
    <div className={error ? `${styles.field} ${styles.wrong}` : styles.field}>
      <label htmlFor={id}>
        {locked && <Icon svg={lockIcon} className="small" />}
        {label}
      </label>
      {children(ids)}
      <p className={styles.help} id={`${id}-help`} aria-live="polite">
        {error ? (
          <span className="field-error">
            <Icon svg={badIcon} className="small" />
            {error}
          </span>
        ) : (
          (locked ?? hint)
        )}
      </p>
    </div>
  )
}

type TextProps = Shell &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & {
    value: string
    onChange?: (value: string) => void
    isMono?: boolean
    suffix?: string
    after?: ReactNode
  }

/** A one-time code may be pasted with blanks, hyphens or wide digits: they go before its length counts. */
export function TextField(props: TextProps) {
  const { label, hint, error, locked, value, onChange, isMono = false, suffix, after, ...given } = props
  const isCode = given.autoComplete === 'one-time-code'
  const { maxLength, ...rest } = given
  const read = (typed: string) => (isCode ? typedCode(typed).slice(0, maxLength) : typed)
  return (
    <Field label={label} hint={hint} error={error} locked={locked}>
      {(ids) => (
        <div className={styles.row}>
          <input
            {...rest}
            {...ids}
            className={isMono ? 'input figure' : 'input'}
            value={value}
            {...(!isCode && maxLength !== undefined && { maxLength })}
            readOnly={rest.readOnly || Boolean(locked)}
            onChange={(event) => onChange?.(read(event.target.value))}
          />
          {suffix && <span className={styles.suffix}>{suffix}</span>}
          {after}
        </div>
      )}
    </Field>
  )
}

type AreaProps = Shell &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> & {
    value: string
    onChange: (value: string) => void
  }

export function TextArea({ label, hint, error, locked, value, onChange, ...rest }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error} locked={locked}>
      {(ids) => (
        <textarea
          {...rest}
          {...ids}
          className="input"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
