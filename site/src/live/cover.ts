import type { Hash } from 'viem'
import type { PublicSolvency } from '../../../core/live/solvency.ts'

/** What the line says: the server's own word, but `stale` for cover that it told some time ago. */
export type CoverWord = 'loading' | 'covered' | 'short' | 'unknown' | 'stale'

/** Told each minute: this long after its block a figure is an old one. */
const staleMs = 300_000

/**
 * `now` in milliseconds by the server's clock, 0 while it is not known. What was short stays short however old it is: only
 * good news needs to be fresh.
 */
export function coverWord(solvency: PublicSolvency | undefined, now: number): CoverWord {
  if (!solvency) return 'loading'
  const { state, block, equation } = solvency
  if (state === 'short') return 'short'
  if (state === 'unknown' || !block || equation === 'broken') return 'unknown'
  return now - block.timestamp * 1000 > staleMs ? 'stale' : 'covered'
}

/**
 * The transaction that made it short: the one behind which it has been short, however small those are that followed; else the one of
 * the lowest point. Undefined where it is not short, or no transfer is known.
 */
export function culprit({
  state,
  lowest,
  shortSince,
  others,
}: PublicSolvency): { transactionHash: Hash; at: string } | undefined {
  if (state !== 'short') return undefined
  return shortSince ?? lowest ?? others[0]
}
