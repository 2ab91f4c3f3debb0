import calendarIcon from 'lucide-static/icons/calendar-days.svg?raw'
import { useRef } from 'react'
import { Icon } from '../../shell/Icon.tsx'
import { t } from '../language/t.ts'
import { besideUtc, fromField, toField } from './dates.ts'
import styles from './form.module.css'
import { TextField } from './Field.tsx'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  locked?: string | undefined
  /** The hint while the field is empty. */
  emptyHint?: string
}

/** A date and time in UTC, typed or picked; Korean time is shown below. */
export function DateField({ label, value, onChange, error, locked, emptyHint = '' }: Props) {
  const picker = useRef<HTMLInputElement>(null)
  const date = fromField(value)
  const hint = date ? t('한국 시각 {date}', { date: besideUtc(date) }) : emptyHint
  return (
    <TextField
      label={label}
      value={value}
      onChange={onChange}
      error={error}
      locked={locked && (date ? t('한국 시각 {date}. {locked}', { date: besideUtc(date), locked }) : locked)}
      hint={hint}
      isMono
      inputMode="numeric"
      placeholder="2025-09-30 12:00"
      autoComplete="off"
      after={
        !locked && (
          <>
            <button
              type="button"
              className={styles.button}
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
