import styles from './Choice.module.css'

type Props<Name extends string> = {
  label: string
  options: Record<Name, string | { name: string }>
  value: Name
  onChange: (value: Name) => void
}

/** One of a few, side by side. */
export function Choice<Name extends string>({ label, options, value, onChange }: Props<Name>) {
  return (
    <fieldset className={styles.choice} aria-label={label}>
      {(Object.keys(options) as Name[]).map((name) => {
        const option = options[name]
        return (
          <button key={name} type="button" aria-pressed={name === value} onClick={() => onChange(name)}>
            {typeof option === 'string' ? option : option.name}
          </button>
        )
      })}
    </fieldset>
  )
}
