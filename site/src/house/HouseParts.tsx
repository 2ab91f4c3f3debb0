import { useStore } from '@nanostores/react'
import { $gate } from './gate.ts'
import styles from './House.module.css'
import { RulesDialog } from './RulesDialog.tsx'
import { confirmRules, words } from './watch.ts'

/** Below the slip: what has to be confirmed before the first purchase. */
export function HouseParts() {
  const gate = useStore($gate)
  return (
    <>
      {gate.kind === 'confirm' && (
        <section className={`card stack ${styles.part}`} aria-labelledby="house-confirm">
          <h2 id="house-confirm">{gate.title}</h2>
          <p>{gate.text}</p>
          <button type="button" className="button edged" onClick={() => void confirmRules()}>
            {words.confirm.action}
          </button>
        </section>
      )}
      <RulesDialog />
    </>
  )
}
