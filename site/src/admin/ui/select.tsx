import type { SelectHTMLAttributes } from 'react'
import { Button } from './action.tsx'
import styles from './form.module.css'

type Props<V extends string> = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> & {
  label?: string
  value: V
  options: readonly (readonly [value: V, text: string])[]
  onChange: (value: V) => unknown
  /** Before it; else its name is for screen readers. */
  isLabelled?: boolean
  isCompact?: boolean
}

export function Select<V extends string>(props: Props<V>) {
  const { label, options, onChange, isLabelled = false, isCompact = false, ...rest } = props
  const select = (
    <select
      className={isCompact ? `input ${styles.compact}` : 'input'}
      aria-label={isLabelled ? undefined : label}
      {...rest}
      onChange={({ target }) => onChange(target.value as V)}
    >
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  )
  if (!isLabelled) return select
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it is in it
    <label className="row whole strong">
      {label}
      {select}
    </label>
  )
}

type ChoiceProps<Name extends string> = {
  label: string
  options: Record<Name, string>
  value: Name
  onChange: (value: Name) => void
}

export const Choice = <Name extends string>({ label, options, value, onChange }: ChoiceProps<Name>) => (
  <fieldset className="row gap-4" aria-label={label}>
    {(Object.keys(options) as Name[]).map((name) => (
      <Button
        key={name}
        size="compact"
        tone={name === value ? 'ink' : 'edged'}
        aria-pressed={name === value}
        onClick={() => onChange(name)}
      >
        {options[name]}
      </Button>
    ))}
  </fieldset>
)

type SwitchProps = { label: string; isOn: boolean; isDisabled?: boolean; onChange: (isOn: boolean) => void }

export const Switch = ({ label, isOn, isDisabled = false, onChange }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    aria-checked={isOn}
    className={`row whole ${styles.switch}`}
    disabled={isDisabled}
    onClick={() => onChange(!isOn)}
  >
    <span className={styles.track} aria-hidden="true" />
    <span>{label}</span>
  </button>
)
