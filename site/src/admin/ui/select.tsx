import { useId } from 'react'
import rowStyles from './Rows.module.css'

type Props<V extends string> = {
  label: string
  value: V
  /** What can be chosen, by what it stands for. */
  options: readonly (readonly [value: V, text: string])[]
  onChange: (value: V) => unknown
  disabled?: boolean
  /** Before the field; else its name is for screen readers. */
  isLabelled?: boolean
}

export function Select<V extends string>(props: Props<V>) {
  const { label, value, options, onChange, disabled = false, isLabelled = false } = props
  const id = useId()
  const select = (
    <select
      id={id}
      className="input"
      {...(!isLabelled && { 'aria-label': label })}
      value={value}
      disabled={disabled}
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
    <span className={rowStyles.label}>
      <label htmlFor={id}>{label}</label>
      {select}
    </span>
  )
}
