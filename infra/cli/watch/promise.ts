import type { OurWallet } from '../../../core/payment/judge.ts'
import type { SiteClaim } from './site.ts'

type Promised = Pick<SiteClaim, 'terms' | 'ownWallets'>

/** Terms that make another list of the same payments: they may change until the first ticket, and never after it. */
const fixed = ['operatorWallet', 'ticketPrice', 'saleStart'] as const

export function changedTerm({ terms: before }: Promised, { terms: now }: Promised): string | undefined {
  const changed = fixed.find((name) => before[name] !== now[name])
  return changed && `the site changed ${changed} from ${before[changed]} to ${now[changed]}`
}

/**
 * What the site changed backwards: the sale end and an own wallet count from a moment after the newest block that it had
 * seen, so no block changes sides that was read here before the site last told otherwise (`readBefore`, in seconds).
 */
export function changedBackwards(before: Promised, now: Promised, readBefore: number): string | undefined {
  const [was, is] = [before.terms.saleEnd, now.terms.saleEnd]
  if (was !== is && [was, is].some((end) => end !== null && end <= readBefore))
    return `the site moved the sale end from ${dateOf(was)} to ${dateOf(is)} when it had passed`
  // Only those before the sale end are listed.
  const counts = ({ since }: OurWallet) => since < Math.min(was ?? since + 1, is ?? since + 1)
  const lineOf = ({ address, since }: OurWallet) => `${address} since ${dateOf(since)}`
  const [former, present] = [before, now].map(({ ownWallets }) => ownWallets.filter(counts).map(lineOf)) as [
    string[],
    string[],
  ]
  const gone = former.find((line) => !present.includes(line))
  if (gone) return `the site no longer names the own wallet ${gone}`
  const backwards = now.ownWallets.find(
    (wallet) => wallet.since <= readBefore && counts(wallet) && !former.includes(lineOf(wallet)),
  )
  return backwards && `the site names the own wallet ${lineOf(backwards)}, backwards`
}

const dateOf = (seconds: number | null): string =>
  seconds === null ? 'none' : new Date(seconds * 1000).toISOString()
