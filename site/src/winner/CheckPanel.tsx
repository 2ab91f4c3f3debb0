import { useStore } from '@nanostores/react'
import alertIcon from 'lucide-static/icons/circle-alert.svg?raw'
import downloadIcon from 'lucide-static/icons/download.svg?raw'
import { type FormEvent, useEffect, useState } from 'react'
import { parseTerms } from '../../../core/event/terms.ts'
import { $history } from '../live/live.ts'
import { Icon } from '../shell/Icon.tsx'
import meter from '../shell/Meter.module.css'
import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import styles from './CheckPanel.module.css'
import { CheckRow } from './CheckRow.tsx'
import { CheckVerdict } from './CheckVerdict.tsx'
import {
  $check,
  $checkedEvent,
  checkDraw,
  chooseEvent,
  defaultEndpoint,
  keptHere,
  ledgerPath,
  proofPath,
} from './check.ts'
import { countDone, summaryOf, waitingLines } from './check-lines.ts'
import { WaitingList } from './WaitingList.tsx'

/** Every check of a finished draw, run in the visitor's browser against a node of the visitor's choice. */
export function CheckPanel() {
  const eventNumber = useStore($checkedEvent, { ssr: () => undefined })
  const check = useStore($check, { ssr: () => undefined })
  const history = useStore($history, { ssr: () => undefined })
  const [endpoint, setEndpoint] = useState(defaultEndpoint)
  const [pasted, setPasted] = useState('')
  const [isLineBroken, setLineBroken] = useState(false)

  useEffect(() => {
    const asked = Number(new URLSearchParams(location.search).get('event'))
    if (Number.isSafeInteger(asked) && asked > 0) chooseEvent(asked)
  }, [])

  if (eventNumber === undefined && !history) return <WaitingList />
  if (eventNumber === undefined) return <p className="empty">{t.check.nothing}</p>
  const lines = check?.lines ?? waitingLines()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const line = `${pasted.trim()}\n`
    const isBroken = line !== '\n' && parseTerms(line)?.eventNumber !== `${eventNumber}`
    setLineBroken(isBroken)
    if (isBroken) return
    const kept = line === '\n' ? keptHere(eventNumber) : [...keptHere(eventNumber), line]
    void checkDraw(eventNumber, { endpoint: endpoint.trim(), kept })
  }
  return (
    <>
      <form className={styles.endpoint} onSubmit={submit} noValidate>
        <label className="field-label" htmlFor="check-node">
          {fill(t.check.node, { event: `${eventNumber}` })}
        </label>
        <div className={styles.field} data-ring>
          <input
            id="check-node"
            className="figure"
            type="url"
            value={endpoint}
            onChange={({ target }) => setEndpoint(target.value)}
            placeholder="https://bsc-dataseed.bnbchain.org"
            spellCheck={false}
            autoComplete="off"
            aria-invalid={check?.trouble ? true : undefined}
            aria-describedby="check-node-hint"
          />
          <button type="submit" className="button compact" aria-disabled={check?.isRunning}>
            {check?.isRunning && <span className="busy-ring small" />}
            {check?.isRunning ? t.check.busy : check ? t.check.again : t.check.button}
          </button>
        </div>
        <div id="check-node-hint" role="status">
          {check?.trouble ? (
            <p className="field-error">
              <Icon svg={alertIcon} className="small" />
              <span>{check.trouble}</span>
            </p>
          ) : (
            <p className="hint">{t.check.hint}</p>
          )}
        </div>
        <label className="field-label" htmlFor="check-line">
          {t.check.kept}
        </label>
        <div className={styles.field} data-ring>
          <input
            id="check-line"
            className="figure"
            value={pasted}
            onChange={({ target }) => setPasted(target.value)}
            placeholder="blockdraw-terms-2,…"
            spellCheck={false}
            autoComplete="off"
            aria-invalid={isLineBroken || undefined}
            aria-describedby="check-line-hint"
          />
        </div>
        <div id="check-line-hint" role="status">
          {isLineBroken ? (
            <p className="field-error">
              <Icon svg={alertIcon} className="small" />
              <span>{fill(t.check.noLine, { event: `${eventNumber}` })}</span>
            </p>
          ) : (
            <p className="hint">{keptHere(eventNumber).length > 0 ? t.check.keptHere : t.check.keptNone}</p>
          )}
        </div>
      </form>
      <ol className={styles.checks} aria-label={t.check.list}>
        {lines.map((line) => (
          <CheckRow key={line.step} line={line} />
        ))}
      </ol>
      <div className={styles.foot}>
        <div className={`${meter.meter} ${styles.meter}`} aria-hidden="true">
          <span style={{ transform: `scaleX(${countDone(lines) / lines.length})` }} />
        </div>
        <CheckVerdict summary={summaryOf(lines, check?.isRunning ?? false)} />
        <div className={styles.files}>
          <a
            className="button edged small"
            href={proofPath(eventNumber)}
            download={`blockdraw-proof-${eventNumber}.json`}
          >
            <Icon svg={downloadIcon} /> {t.check.proof}
          </a>
          <a
            className="button edged small"
            href={ledgerPath(eventNumber)}
            download={`blockdraw-ledger-${eventNumber}.csv`}
          >
            <Icon svg={downloadIcon} /> {t.check.ledger}
          </a>
        </div>
      </div>
    </>
  )
}
