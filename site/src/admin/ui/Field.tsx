import calendarIcon from 'lucide-static/icons/calendar-days.svg?raw'
import badIcon from 'lucide-static/icons/circle-alert.svg?raw'
import lockIcon from 'lucide-static/icons/lock.svg?raw'
import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId, useRef } from 'react'
import { typedCode } from '../../../../core/typed-code.ts'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import styles from './form.module.css'
import { besideUtc, fromField, toField } from './format.ts'

type Shell = {
  label: ReactNode
  hint?: ReactNode
  /** Empty where it is told elsewhere: the field is marked alone. */
  error?: string | undefined
  locked?: string | undefined
}
type Ids = { id: string; 'aria-describedby': string; 'aria-invalid': boolean }

export function Field(props: Shell & { children: (ids: Ids) => ReactNode }) {
  const { label, hint, error, locked, children } = props
  const id = useId()
  const ids = { id, 'aria-describedby': `${id}-help`, 'aria-invalid': error !== undefined }
  return (
    <div className={styles.field}>
      <label className="row gap-8 strong" htmlFor={id}>
        {locked && <Icon svg={lockIcon} className="small" />}
        {label}
      </label>
      {children(ids)}
      <p className={`hint ${styles.help}`} id={`${id}-help`} aria-live="polite">
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
    suffix?: string | undefined
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
          {suffix && <span className={`hint ${styles.suffix}`}>{suffix}</span>}
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

export const TextArea = ({ label, hint, error, locked, value, onChange, ...rest }: AreaProps) => (
  <Field {...{ label, hint, error, locked }}>
    {(ids) => (
      <textarea
        readOnly={Boolean(locked)}
        {...{ ...rest, ...ids, value }}
        className="input"
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  locked?: string | undefined
  emptyHint?: string | undefined
}

export function DateField({ label, value, onChange, error, locked, emptyHint = '' }: Props) {
  const picker = useRef<HTMLInputElement>(null)
  const date = fromField(value)
  const hint = date ? t('한국 시각 {date}', { date: besideUtc(date) }) : emptyHint
  return (
    <TextField
      {...{ label, value, onChange, error, hint }}
      locked={locked && (date ? t('한국 시각 {date}. {locked}', { date: besideUtc(date), locked }) : locked)}
      isMono
      inputMode="numeric"
      placeholder="2025-09-30 12:00"
      autoComplete="off"
      after={
        !locked && (
          <>
            <button
              type="button"
              className={`tool ${styles.button}`}
              aria-label={t('{label} 달력에서 고르기', { label })}
              onClick={() => picker.current?.showPicker?.()}
            >
              <Icon svg={calendarIcon} />
            </button>
            <input
              ref={picker}
              type="datetime-local"
              className={styles.picker}
              tabIndex={-1}
              aria-hidden="true"
              value={toField(date?.toISOString()).slice(0, 16).replace(' ', 'T')}
              onChange={(event) => onChange(event.target.value.replace('T', ' '))}
            />
          </>
        )
      }
    />
  )
}
