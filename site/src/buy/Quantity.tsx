import minusIcon from 'lucide-static/icons/minus.svg?raw'
import plusIcon from 'lucide-static/icons/plus.svg?raw'
import { useState } from 'react'
import { useShown } from '../shell/hooks.ts'
import { Icon } from '../shell/Icon.tsx'
import { Row } from '../shell/Layout.tsx'
import { count } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import styles from './buy.module.css'
import { $quantity } from './purchase.ts'

/** Enough for any purchase, and its amount in hundredths is still a safe integer. */
const most = 10_000_000_000

const presets = [1, 5, 10, 33, 100]

/** Minus, a field that ignores everything but whole numbers from 1, plus; below them common quantities. */
export function Quantity({ isDisabled }: { isDisabled: boolean }) {
  const quantity = useShown($quantity)
  // The field may be empty while the next number is typed; the quantity keeps its value.
  const [isEmpty, setEmpty] = useState(false)
  const step = (by: number) => {
    setEmpty(false)
    const next = parseQuantity(String(quantity + by))
    if (next !== undefined) $quantity.set(next)
  }
  return (
    <>
      <Row spread>
        <label className="strong" htmlFor="quantity">
          {t.buy.quantity}
        </label>
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
            aria-describedby="buy-reason"
            step={1}
            autoComplete="off"
            value={isEmpty ? '' : quantity}
            disabled={isDisabled}
            onChange={({ target }) => {
              const typed = parseQuantity(target.value)
              // A letter makes the value empty too; it is ignored, and the number stays.
              setEmpty(target.value === '' && !target.validity.badInput)
              if (typed !== undefined) $quantity.set(typed)
            }}
            onBlur={() => setEmpty(false)}
          />
          <button type="button" aria-label={t.buy.more} disabled={isDisabled} onClick={() => step(1)}>
            <Icon svg={plusIcon} />
          </button>
        </div>
      </Row>
      <fieldset className={styles.presets}>
        <legend className="visually-hidden">{t.buy.presets}</legend>
        {presets.map((preset) => (
          <button
            key={preset}
            type="button"
            className="button edged compact figure"
            translate="no"
            aria-pressed={preset === quantity}
            disabled={isDisabled}
            onClick={() => $quantity.set(preset)}
          >
            {count(preset)}
          </button>
        ))}
      </fieldset>
    </>
  )
}

/** The quantity in a typed text; undefined unless it is a whole number from 1. @internal */
export function parseQuantity(text: string): number | undefined {
  if (!/^\d{1,11}$/.test(text.trim())) return undefined
  const quantity = Number.parseInt(text, 10)
  return quantity >= 1 && quantity <= most ? quantity : undefined
}
