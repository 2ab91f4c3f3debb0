import type { LiveState } from '../live/state.ts'

/** Whether the page sells to a visitor of these countries; where nobody tells one, it does. */
export function isClosedFor(state: Pick<LiveState, 'snapshot'>, countries: readonly string[]): boolean {
  if (countries.length === 0) return false
  const closed = state.snapshot()?.rules.closedCountries ?? []
  return countries.some((one) => closed.includes(one))
}
