import { shorten } from '../../../core/format.ts'
import type { WouldHaveWon as Undrawn } from '../../../core/live/public.ts'
import { site } from '../content/site.ts'
import { Trans } from '../shell/Trans.tsx'
import { count, fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { ledgerPath } from './check.ts'
import styles from './WouldHaveWon.module.css'

/** Whom the rule names in an event that is refunded. It looks like a remark, as nobody has won. */
export function WouldHaveWon({ undrawn, eventNumber }: { undrawn: Undrawn; eventNumber: number }) {
  return (
    <section className={styles.undrawn} aria-labelledby="undrawn-title" data-undrawn>
      <h3 id="undrawn-title">{t.undrawn.title}</h3>
      <p>
        <Trans
          text={t.undrawn.text}
          ticket={<b>#{undrawn.ticketNumber}</b>}
          count={count(undrawn.ticketsSold)}
          wallet={
            <span className="figure" title={undrawn.walletAddress}>
              {shorten(undrawn.walletAddress, 6, 4)}
            </span>
          }
        />
      </p>
      <p>{t.undrawn.nobody}</p>
      <Recompute undrawn={undrawn} eventNumber={eventNumber} />
    </section>
  )
}

/** All that is needed to find the ticket again: the five blocks, the list, and the rule. */
export function Recompute({ undrawn, eventNumber }: { undrawn: Undrawn; eventNumber: number }) {
  const { blocks, seed, ledgerSha256, ticketNumber, ticketsSold, beacon } = undrawn
  return (
    <details className={styles.recompute}>
      <summary>{t.undrawn.recompute}</summary>
      <ol>
        <li>
          {t.undrawn.blocks}
          <ul className="figure">
            {blocks.map(({ number, hash }) => (
              <li key={number}>
                <a href={`${site.explorerUrl}/block/${number}`} target="_blank" rel="noreferrer">
                  {number}
                </a>{' '}
                {hash}
              </li>
            ))}
          </ul>
        </li>
        {beacon && (
          <li>
            {fill(t.undrawn.signature, { round: beacon.round })}{' '}
            <span className="figure">{beacon.signature.slice(2)}</span>
          </li>
        )}
        <li>
          {beacon ? t.undrawn.seedOfAll : t.undrawn.seed} <span className="figure">{seed}</span>
        </li>
        <li>{fill(t.undrawn.number, { count: count(ticketsSold), ticket: `#${ticketNumber}` })}</li>
        <li>
          <Trans
            text={t.undrawn.list}
            list={<a href={ledgerPath(eventNumber)}>{t.check.ledger}</a>}
            fingerprint={<span className="figure">{ledgerSha256}</span>}
          />
        </li>
      </ol>
    </details>
  )
}
