import { type SelectHTMLAttributes, useId } from 'react'
import { Row } from '../../shell/Layout.tsx'
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
  const id = useId()
  const select = (
    <select
      id={id}
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
    <Row as="span" whole className="strong">
      <label htmlFor={id}>{label}</label>
      {select}
    </Row>
  )
}

type ChoiceProps<Name extends string> = {
  label: string
  options: Record<Name, string>
  value: Name
  onChange: (value: Name) => void
}

export const Choice = <Name extends string>({ label, options, value, onChange }: ChoiceProps<Name>) => (
  <fieldset className={styles.choice} aria-label={label}>
    {(Object.keys(options) as Name[]).map((name) => (
      <button key={name} type="button" aria-pressed={name === value} onClick={() => onChange(name)}>
        {options[name]}
      </button>
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
