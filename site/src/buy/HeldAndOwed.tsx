import { useStore } from '@nanostores/react'
import checkIcon from 'lucide-static/icons/check.svg?raw'
import alertIcon from 'lucide-static/icons/circle-alert.svg?raw'
import type { ReactNode } from 'react'
import type { PublicSolvency } from '../../../core/live/solvency.ts'
import { usdtOf } from '../../../core/money.ts'
import { $now } from '../live/clock.ts'
import { type CoverWord, coverWord, culprit } from '../live/cover.ts'
import { $solvency } from '../live/live.ts'
import { formatAgo, formatDate } from '../shell/dates.ts'
import { HashLink } from '../shell/HashLink.tsx'
import { Icon } from '../shell/Icon.tsx'
import { Trans } from '../shell/Trans.tsx'
import { count, fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { CoverParts, SentElsewhere } from './CoverParts.tsx'
import styles from './HeldAndOwed.module.css'

const tones: Record<CoverWord, string> = {
  ...{ loading: '', covered: 'ok', short: 'bad', unknown: '', stale: '' },
}

/** What the operator's wallets hold, what they owe, and what that does not prove: one calm line beside the minimum. */
export function HeldAndOwed() {
  const solvency = useStore($solvency, { ssr: () => undefined })
  const now = useStore($now, { ssr: () => 0 })
  const word = coverWord(solvency, now)
  const isTold = solvency !== undefined && word !== 'unknown'
  const isShort = word === 'short'
  const sum = (units: string | undefined) => (isTold && units !== undefined ? `${usdtOf(units)} USDT` : '–')
  return (
    <section className={styles.cover} aria-labelledby="cover-title" data-cover={word}>
      <header>
        <h3 id="cover-title">{t.cover.title}</h3>
        <span className={`badge ${tones[word]}`} role="status">
          {word === 'covered' && <Icon svg={checkIcon} className="small" />}
          {isShort && <Icon svg={alertIcon} className="small" />}
          {t.cover.states[word]}
        </span>
      </header>
      <dl className="summary">
        <div>
          <dt>{t.cover.held}</dt>
          <dd data-held>{sum(solvency?.held)}</dd>
        </div>
        <div>
          <dt>{t.cover.owed}</dt>
          <dd data-owed>{sum(solvency?.required)}</dd>
        </div>
        <div className={styles.sum} data-short={isShort || undefined}>
          <dt>{isShort ? t.cover.missing : t.cover.left}</dt>
          <dd data-beyond>{sum(solvency?.cover)}</dd>
        </div>
      </dl>
      <p className={`hint ${styles.point}`} data-short={isShort || undefined} data-point>
        {pointOf(word, solvency, now)}
      </p>
      <p className={`hint ${styles.not}`}>
        {t.cover.not}
        {isTold &&
          solvency.block &&
          ` ${fill(t.cover.at, {
            block: count(solvency.block.number),
            date: formatDate(new Date(solvency.block.timestamp * 1000).toISOString()),
          })}`}
      </p>
      {isTold && <SentElsewhere solvency={solvency} />}
      {isTold && <CoverParts solvency={solvency} />}
    </section>
  )
}

/** The one sentence below the figures; its place is kept free while nothing is known. */
function pointOf(word: CoverWord, solvency: PublicSolvency | undefined, now: number): ReactNode {
  if (!solvency) return t.cover.loading
  if (word === 'short') {
    const found = culprit(solvency)
    if (!found) return t.cover.shortUnnamed
    return named(t.cover.short, found)
  }
  if (word === 'unknown') return solvency.equation === 'broken' ? t.cover.broken : t.cover.unknown
  if (word === 'stale' && solvency.block)
    return fill(t.cover.stale, { ago: formatAgo(solvency.block.timestamp * 1000, now) })
  const { lowest } = solvency
  if (!lowest) return t.cover.noneYet
  return named(lowest.cover.startsWith('-') ? t.cover.lowestShort : t.cover.lowest, {
    ...lowest,
    amount: usdtOf(lowest.cover),
  })
}

const named = (text: string, found: { transactionHash: string; at: string; amount?: string }) => (
  <Trans
    text={text}
    amount={found.amount}
    date={formatDate(found.at)}
    transaction={<HashLink hash={found.transactionHash} />}
  />
)
