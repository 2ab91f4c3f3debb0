import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { type BarDays, barDays } from '../../../core/house/bar-days.ts'
import { $config } from '../live/live.ts'
import { formatDate } from '../shell/dates.ts'
import { showToast } from '../shell/toast.ts'
import { fill, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { $isDialogOpen, $wallet } from '../wallet/wallet.ts'
import styles from './House.module.css'
import { RestError, takeRest } from './rest.ts'
import { $barredUntil } from './watch.ts'
import { words } from './words.ts'

/** A wallet signs that it takes a break from buying. */
export function Rest() {
  const { address } = useStore($wallet)
  const until = useStore($barredUntil)
  const config = useStore($config)
  const [days, setDays] = useState<BarDays>(7)
  const [isSigning, setSigning] = useState(false)
  const [trouble, setTrouble] = useState('')
  const { rest } = words
  const isRunning = Boolean(address && until)
  const sign = async () => {
    if (!address || !config || isSigning) return
    setSigning(true)
    setTrouble('')
    try {
      const end = formatDate(await takeRest(address, days, config.chainId))
      showToast(rest.done, fill(rest.doneText, { until: end }), 'good')
    } catch (error) {
      setTrouble(error instanceof RestError ? error.message : rest.failed)
    } finally {
      setSigning(false)
    }
  }
  return (
    <details className={styles.rest}>
      <summary>{rest.title}</summary>
      <div className={styles.restBody}>
        <p>{rest.text}</p>
        {isRunning && <p>{fill(rest.running, { until: formatDate(until) })}</p>}
        <fieldset>
          <legend className="field-label">{rest.choose}</legend>
          {barDays.map((one) => (
            <label key={one} className={styles.tick}>
              <input
                type="radio"
                name="rest-days"
                checked={days === one}
                disabled={isSigning}
                onChange={() => setDays(one)}
              />
              <span>{plural(rest.days, one)}</span>
            </label>
          ))}
        </fieldset>
        {address ? (
          <button type="button" className="button edged" disabled={isSigning} onClick={() => void sign()}>
            {isSigning && <span className="busy-ring" />}
            {isSigning ? rest.signing : rest.sign}
          </button>
        ) : (
          <>
            <p className="hint">{rest.connect}</p>
            <button type="button" className="button edged" onClick={() => $isDialogOpen.set(true)}>
              {t.wallet.choose}
            </button>
          </>
        )}
        <p className={styles.trouble} role="alert">
          {trouble}
        </p>
        <p className="hint">{rest.limits}</p>
      </div>
    </details>
  )
}
