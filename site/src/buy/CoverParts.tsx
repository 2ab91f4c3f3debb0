import { shorten } from '../../../core/format.ts'
import type { PublicSolvency } from '../../../core/live/solvency.ts'
import { usdtOf } from '../../../core/money.ts'
import { site } from '../content/site.ts'
import { shortDate } from '../live/history.ts'
import { apiBase } from '../shell/api.ts'
import { HashLink } from '../shell/HashLink.tsx'
import { fill, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import styles from './HeldAndOwed.module.css'

type Props = { solvency: PublicSolvency }

/** Money that went neither to a payer, nor to a winner, nor to another own wallet: each with its transaction. */
export function SentElsewhere({ solvency: { eventNumber, others, outflow } }: Props) {
  if (others.length === 0) return <p className={`hint ${styles.none}`}>{t.cover.noOthers}</p>
  const amount = usdtOf(outflow.other)
  const listed = others.reduce((sum, { units }) => sum + BigInt(units), 0n)
  // The server tells the newest ten and the largest ten; more than these have gone where they are less than the sum.
  const text =
    listed < BigInt(outflow.other)
      ? fill(t.cover.othersMany, { amount, count: others.length })
      : fill(plural(t.cover.others, others.length), { amount })
  return (
    <details className={styles.others} data-others>
      <summary>{text}</summary>
      <ul className="rows">
        {others.map(({ transactionHash, to, units, at }) => (
          <li key={`${transactionHash} ${to} ${units}`}>
            <b className="figure">{usdtOf(units)} USDT</b>
            <time className="figure" dateTime={at}>
              {shortDate(at)}
            </time>
            <HashLink hash={transactionHash} />
            <span className="figure" title={to}>
              {fill(t.cover.to, { wallet: shorten(to, 6, 4) })}
            </span>
          </li>
        ))}
      </ul>
      <p className="hint">
        <a
          href={`${apiBase}/api/raffle/flows/${eventNumber}`}
          download={`blockdraw-flows-${eventNumber}.csv`}
        >
          {t.cover.allOthers}
        </a>
      </p>
    </details>
  )
}

/** Wallets, debts and what was sent out, a line each; folded, as the sums above say what matters. */
export function CoverParts({ solvency: { wallets, owed, outflow, dust } }: Props) {
  const line = (name: string, units: string) => (
    <div key={name}>
      <dt>{name}</dt>
      <dd>{usdtOf(units)}</dd>
    </div>
  )
  const names = t.cover
  return (
    <details className={styles.parts}>
      <summary>{names.parts}</summary>
      <h4 className="label">{plural(names.wallets, wallets.length)}</h4>
      <dl className="summary">
        {wallets.map(({ address, held }) => (
          <div key={address}>
            <dt>
              <a
                className="figure"
                href={`${site.explorerUrl}/address/${address}`}
                target="_blank"
                rel="noreferrer"
                title={address}
              >
                {shorten(address, 6, 4)}
              </a>
            </dt>
            <dd>{usdtOf(held)}</dd>
          </div>
        ))}
      </dl>
      <h4 className="label">{names.owedFor}</h4>
      <dl className="summary">
        {(['credited', 'prizes', 'refunds', 'leftovers'] as const).map((part) =>
          line(names.owedParts[part], owed[part]),
        )}
      </dl>
      <p className="hint">{fill(names.notOwed, { dust: usdtOf(dust) })}</p>
      <h4 className="label">{names.sentOut}</h4>
      <dl className="summary">
        {(['refund', 'prize', 'own', 'other'] as const).map((part) =>
          line(names.outflow[part], outflow[part]),
        )}
      </dl>
    </details>
  )
}
