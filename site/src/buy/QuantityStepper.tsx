import minusIcon from 'lucide-static/icons/minus.svg?raw'
import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { useState } from 'react'
import { Icon } from '../shell/Icon.tsx'
import { t } from '../texts/index.ts'
import styles from './QuantityStepper.module.css'
import { parseQuantity } from './quantity.ts'

type Props = { quantity: number; onChange: (quantity: number) => void; isDisabled: boolean }

/** Minus, a number field, plus. The field ignores everything but whole numbers from 1. */
export function QuantityStepper({ quantity, onChange, isDisabled }: Props) {
  // The field may be empty while the next number is typed; the quantity keeps its value.
  const [isEmpty, setEmpty] = useState(false)
  const step = (by: number) => {
    setEmpty(false)
    const next = parseQuantity(String(quantity + by))
    if (next !== undefined) onChange(next)
  }
  return (
    <div className={styles.quantity}>
      <label htmlFor="quantity">{t.buy.quantity}</label>
      <div className={styles.stepper} data-ring>
        <button
          type="button"
          aria-label={t.buy.less}
          disabled={isDisabled || quantity <= 1}
          onClick={() => step(-1)}
        >
          <Icon svg={minusIcon} />
        </button>
        <input
          id="quantity"
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          autoComplete="off"
          value={isEmpty ? '' : quantity}
          disabled={isDisabled}
          onChange={(event) => {
            const typed = parseQuantity(event.target.value)
            // A letter makes the value empty too; it is ignored, and the number stays.
            setEmpty(event.target.value === '' && !event.target.validity.badInput)
            if (typed !== undefined) onChange(typed)
          }}
          onBlur={() => setEmpty(false)}
        />
        <button type="button" aria-label={t.buy.more} disabled={isDisabled} onClick={() => step(1)}>
          <Icon svg={plusIcon} />
        </button>
      </div>
    </div>
  )
}
