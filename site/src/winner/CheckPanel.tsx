import checkIcon from 'lucide-static/icons/check.svg?raw'
import questionIcon from 'lucide-static/icons/circle-question-mark.svg?raw'
import downloadIcon from 'lucide-static/icons/download.svg?raw'
import crossIcon from 'lucide-static/icons/x.svg?raw'
import { type FormEvent, Fragment, useEffect, useState } from 'react'
import { parseTerms } from '../../../core/event/terms.ts'
import { Icon } from '../shell/Icon.tsx'
import { island, useLive, useShown } from '../shell/island.tsx'
import { Muted, Row, Stack, Text } from '../shell/Layout.tsx'
import { LineField } from '../shell/Parts.tsx'
import meter from '../shell/shell.module.css'
import { fill, t } from '../texts/index.ts'
import {
  $check,
  $checkedEvent,
  type CheckLine,
  checkDraw,
  chooseEvent,
  countDone,
  defaultEndpoint,
  keptHere,
  ledgerPath,
  proofPath,
  summaryOf,
  waitingLines,
} from './check.ts'
import styles from './records.module.css'
import { WaitingList } from './WaitingList.tsx'

export const CheckPanel = island(function CheckPanel() {
  const eventNumber = useShown($checkedEvent)
  const check = useShown($check)
  const { history } = useLive()
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
  const summary = summaryOf(lines, check?.isRunning ?? false)
  const stepsText = {
    verified: fill(t.check.allPassed, { passed: lines.length, asked: lines.length }),
    ...{ incomplete: t.check.list, contradicted: t.check.list, none: summary.text },
  }[summary.verdict ?? 'none']
  return (
    <Stack gap={16}>
      {!summary.verdict && <Text size={17}>{t.check.unproven}</Text>}
      <Verdict summary={summary} />
      <form className="stack gap-8" onSubmit={submit} noValidate>
        <LineField
          id="check-node"
          label={fill(t.check.node, { event: `${eventNumber}` })}
          type="url"
          value={endpoint}
          onChange={({ target }) => setEndpoint(target.value)}
          placeholder="https://bsc-dataseed.bnbchain.org"
          trouble={check?.trouble}
          hint=""
        >
          <button type="submit" className="button" aria-disabled={check?.isRunning}>
            {check?.isRunning && <span className="busy-ring small" />}
            <span>{check?.isRunning ? t.check.busy : check ? t.check.again : t.check.button}</span>
          </button>
        </LineField>
      </form>
      <details className="fold">
        <summary>{stepsText}</summary>
        <Stack>
          <p className="hint">{t.check.hint}</p>
          <LineField
            id="check-line"
            label={t.check.kept}
            value={pasted}
            onChange={({ target }) => setPasted(target.value)}
            placeholder="blockdraw-terms-2,…"
            trouble={isLineBroken ? fill(t.check.noLine, { event: `${eventNumber}` }) : undefined}
            hint={keptHere(eventNumber).length > 0 ? t.check.keptHere : t.check.keptNone}
          />
          <ol className="rows" aria-label={t.check.list}>
            {lines.map((line) => (
              <CheckStep key={line.step} line={line} />
            ))}
          </ol>
          <Row>
            {[
              [proofPath, t.check.proof, 'proof', 'json'] as const,
              [ledgerPath, t.check.ledger, 'ledger', 'csv'] as const,
            ].map(([path, text, name, ending]) => (
              <a
                key={name}
                className="button edged small"
                href={path(eventNumber)}
                download={`blockdraw-${name}-${eventNumber}.${ending}`}
              >
                <Icon svg={downloadIcon} /> {text}
              </a>
            ))}
          </Row>
        </Stack>
      </details>
      <div className={meter.meter} aria-hidden="true" hidden={!check?.isRunning}>
        <span style={{ transform: `scaleX(${countDone(lines) / lines.length})` }} />
      </div>
    </Stack>
  )
})

const lineTones = {
  waiting: 'held',
  checking: 'wait',
  passed: 'ok',
  failed: 'bad',
  open: 'wait',
} as const

/** One check: what was checked, what was found; a failed one shows expected and found. @internal */
export function CheckStep({ line }: { line: CheckLine }) {
  const { state, title, text, difference, step } = line
  return (
    <li className={styles.line} data-step={step} data-state={state}>
      <span className="disc" aria-hidden="true">
        {state === 'passed' && <Icon svg={checkIcon} />}
        {state === 'failed' && <Icon svg={crossIcon} />}
        {state === 'open' && <Icon svg={questionIcon} />}
        {state === 'checking' && <span className="busy-ring small" />}
      </span>
      <Stack gap={4} className="anywhere">
        <h3>{title}</h3>
        {text && <Muted size={14}>{text}</Muted>}
        {difference && (
          <dl className={`size-14 ${styles.difference}`}>
            {(['expected', 'actual'] as const).map((side) => (
              <Fragment key={side}>
                <dt className="label">{side === 'actual' ? t.check.found : t.check.expected}</dt>
                <dd className="figure" translate="no">
                  {difference[side]}
                </dd>
              </Fragment>
            ))}
          </dl>
        )}
      </Stack>
      <span className={`badge ${lineTones[state]}`}>{t.check.badges[state]}</span>
    </li>
  )
}

const verdictTones = { verified: 'ok', incomplete: 'wait', contradicted: 'bad' } as const

/** Once all is done: the word, what it says, what was not checked, and what to do next. @internal */
export function Verdict({ summary }: { summary: ReturnType<typeof summaryOf> }) {
  const { verdict, text, open, next } = summary
  return (
    <div role="status" className={`stack gap-8 ${styles.verdict}`} data-verdict={verdict}>
      {verdict && (
        <>
          <span className={`badge ${verdictTones[verdict]}`}>{t.check.verdicts[verdict]}</span>
          <Text strong>{text}</Text>
        </>
      )}
      {open.length > 0 && (
        <ul className="muted size-14">
          {open.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      )}
      {next.map((each) => (
        <Muted key={each} size={14}>
          {each}
        </Muted>
      ))}
    </div>
  )
}
