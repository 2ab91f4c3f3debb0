import type { PublicPrize } from '../../../core/prize/promise.ts'
import section from '../shell/Section.module.css'
import { plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { PrizeRecords } from './PrizeRecord.tsx'
import styles from './Prizes.module.css'

/** Below the winners: what became of what they won. */
export function Prizes({ prizes }: { prizes: readonly PublicPrize[] }) {
  if (prizes.length === 0) return null
  return (
    <section className={`${section.split} ${styles.record}`} aria-labelledby="prizes-title">
      <header>
        <h2 id="prizes-title" className="h3-display">
          {plural(t.prize.record, prizes.length)}
        </h2>
        <p className={section.lead}>{t.prize.lead}</p>
      </header>
      <PrizeRecords prizes={prizes} />
    </section>
  )
}
