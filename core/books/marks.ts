import type { Flow } from '../flows/flow.ts'
import type { TransferMark } from '../refund/classes.ts'
import { type Balances, type Entry, openBalances } from './accounts.ts'

/** What an administrator said of a transfer, oldest first; null leaves it to the rule. Seconds. */
export type Mark = { at: number; markedAs: TransferMark | null }
export type Marked = {
  of: ReadonlyMap<string, readonly Mark[]>
  /** Of each day with a mark the time of its last one, in order. */
  days: readonly { day: number; at: number }[]
}

type Place = Pick<Flow, 'transactionHash' | 'wallet' | 'counterparty' | 'units' | 'logIndex'>
export const markKey = ({ transactionHash, wallet, counterparty, units, logIndex }: Place): string =>
  `${transactionHash} ${wallet} ${counterparty} ${units} ${logIndex}`

/** Days since 1970, by UTC. */
export const dayOf = (seconds: number): number => Math.floor(seconds / 86_400)

/**
 * A flow as the books had it at the end of this day: a mark of a later day than both, which they follow now, was not there yet. What
 * the rule said before a mark is not on record; it is taken for a refund as far as its receiver was owed something.
 */
export function asKnown(flow: Flow, day: number, { of }: Marked): Flow {
  const marks = flow.direction === 'out' ? of.get(markKey(flow)) : undefined
  if (!marks || flow.class === 'own') return flow
  const isKnown = ({ at }: Mark) => dayOf(at) <= Math.max(day, dayOf(flow.blockTime))
  if (marks.every(isKnown)) return flow
  const { prizePlace: _, ...rest } = flow
  const mark = marks.findLast(isKnown)?.markedAs ?? null
  return {
    ...{ ...rest, debtor: null, eventNumber: null },
    ...{ class: mark === 'prize' ? 'prize' : 'other', isMarked: mark === 'other' },
  }
}

/** What has to be posted so that the books of before are those of after; undefined where they are. */
export function correctionOf(before: Balances, after: Balances, at: number): Entry | undefined {
  const difference = openBalances()
  for (const each of after.all()) difference.add(each, each.units)
  for (const each of before.all()) difference.add(each, -each.units)
  const postings = difference
    .all()
    .map((each) => ({ ...each, kind: 'correction' as const, counterparty: null, reason: null }))
  return postings.length > 0 ? { at, block: null, transactionHash: null, postings } : undefined
}
