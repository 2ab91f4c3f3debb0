import { smaller, sum } from './allocate.ts'
import type { Open } from './books.ts'

/** Of a payer with very many payments not all sums are tried. */
const mostSums = 10_000

/**
 * Payments, the oldest first, of which as much is due as a wallet has paid for another one, and no more than that one has waived
 * (null: all of it). Where the oldest that fit are not the ones, as others had been held, any that are.
 */
export function coverOf(open: readonly Open[], ahead: bigint, waived: bigint | null): readonly Open[] {
  let left = ahead
  const taken: Open[] = []
  for (const one of open) {
    if (left === 0n || (waived !== null && sumOf(taken) + one.units > waived)) continue
    taken.push(one)
    left -= smaller(one.units, left)
  }
  return left === 0n || waived === null ? taken : (subset(open, ahead, waived) ?? taken)
}

function subset(open: readonly Open[], least: bigint, most: bigint): readonly Open[] | undefined {
  const reached = new Map<bigint, readonly Open[]>([[0n, []]])
  for (const one of open)
    for (const [units, before] of [...reached]) {
      const next = units + one.units
      if (next > most || reached.has(next)) continue
      const taken = [...before, one]
      if (next >= least) return taken
      if (reached.size === mostSums) return undefined
      reached.set(next, taken)
    }
  return undefined
}

const sumOf = (open: readonly Open[]): bigint => sum(open.map(({ units }) => units))
