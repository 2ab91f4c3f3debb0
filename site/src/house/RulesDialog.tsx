import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useState } from 'react'
import type { LegalKind } from '../../../core/house/rules.ts'
import { $rules } from '../live/live.ts'
import { useModal } from '../shell/island.tsx'
import { Muted } from '../shell/Layout.tsx'
import { DialogHead, Trans } from '../shell/Parts.tsx'
import { fill, lang, t } from '../texts/index.ts'
import { $accepted, accept, missing } from './acceptance.ts'
import { $gate } from './gate.ts'
import styles from './House.module.css'
import { $confirming, confirmRules, words } from './watch.ts'

/** What a buyer confirms once: each line has a tick of its own, and none is set for him. */
export function RulesDialog() {
  const answer = useStore($confirming)
  const dialog = useModal(answer !== undefined)
  const rules = useStore($rules)
  const accepted = useStore($accepted)
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [trouble, setTrouble] = useState('')
  useEffect(() => {
    if (answer) return
    // Now and not when it opens: nothing may move under a pointer that is about to press.
    setTicked([])
    setTrouble('')
  }, [answer])

  const open = rules ? missing(rules, accepted) : {}
  const lines = linesOf(open)
  const tick = (name: string, isOn: boolean) => {
    setTrouble('')
    setTicked(isOn ? [...ticked, name] : ticked.filter((one) => one !== name))
  }
  const confirm = () => {
    if (!lines.every(([name]) => ticked.includes(name))) return setTrouble(words.dialog.missing)
    accept(open)
    answer?.(true)
  }
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="house-dialog-title"
      onClose={() => $confirming.get()?.(false)}
    >
      <DialogHead
        id="house-dialog-title"
        title={words.confirm.title}
        close={t.close}
        onClose={() => answer?.(false)}
      />
      <p className="dialog-text">{words.confirm.text}</p>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          confirm()
        }}
      >
        {lines.map(([name, line]) => (
          <label key={name} className={styles.tick}>
            <input
              type="checkbox"
              checked={ticked.includes(name)}
              onChange={(event) => tick(name, event.target.checked)}
              aria-describedby="house-trouble"
            />
            <span>{line}</span>
          </label>
        ))}
        <p className="hint">{words.dialog.kept}</p>
        <p id="house-trouble" className={trouble && 'field-error strong'} role="alert">
          {trouble}
        </p>
        <button type="submit" className="button gold">
          {words.dialog.go}
        </button>
      </form>
    </dialog>
  )
}

/** Named by what is confirmed: a tick for one version is none for the next, which comes while the dialog is open. */
function linesOf({ age, termsSha256, privacySha256 }: ReturnType<typeof missing>): [string, ReactNode][] {
  const { dialog } = words
  return [
    ...(age === undefined ? [] : [[`age ${age}`, fill(dialog.age, { age })] as [string, ReactNode]]),
    ...(termsSha256 ? [legalLine('terms', termsSha256, dialog.terms, dialog.termsLink)] : []),
    ...(privacySha256 ? [legalLine('privacy', privacySha256, dialog.privacy, dialog.privacyLink)] : []),
  ]
}

const legalLine = (kind: LegalKind, sha256: string, text: string, name: string): [string, ReactNode] => [
  `${kind} ${sha256}`,
  <Trans
    key={kind}
    text={text}
    link={
      <a href={`${lang === 'ko' ? '/ko' : ''}/${kind}/`} target="_blank" rel="noreferrer">
        {name}
      </a>
    }
  />,
]

export function HouseParts() {
  const gate = useStore($gate)
  return (
    <>
      {gate.kind === 'confirm' && (
        <section className={`card stack ${styles.part}`} aria-labelledby="house-confirm">
          <h2 id="house-confirm" className="h3-display">
            {gate.title}
          </h2>
          <Muted>{gate.text}</Muted>
          <button type="button" className="button edged" onClick={() => void confirmRules()}>
            {words.confirm.action}
          </button>
        </section>
      )}
      <RulesDialog />
    </>
  )
}
