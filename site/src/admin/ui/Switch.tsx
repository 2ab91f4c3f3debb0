import styles from './Switch.module.css'

type Props = { label: string; isOn: boolean; isDisabled?: boolean; onChange: (isOn: boolean) => void }

export function Switch({ label, isOn, isDisabled = false, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      className={styles.switch}
      disabled={isDisabled}
      onClick={() => onChange(!isOn)}
    >
      <span className={styles.track} aria-hidden="true" />
      <span>{label}</span>
    </button>
  )
}
