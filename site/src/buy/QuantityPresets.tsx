import { count } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import styles from './QuantityPresets.module.css'

const presets = [1, 5, 10, 33, 100]

type Props = { quantity: number; onChange: (quantity: number) => void; isDisabled: boolean }

/** Common quantities as buttons; 33 is the 99 USDT of the example. */
export function QuantityPresets({ quantity, onChange, isDisabled }: Props) {
  return (
    <fieldset className={styles.presets}>
      <legend className="visually-hidden">{t.buy.presets}</legend>
      {presets.map((preset) => (
        <button
          key={preset}
          type="button"
          className="button edged compact figure"
          aria-pressed={preset === quantity}
          disabled={isDisabled}
          onClick={() => onChange(preset)}
        >
          {count(preset)}
        </button>
      ))}
    </fieldset>
  )
}
