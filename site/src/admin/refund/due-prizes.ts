import { api } from '../frame/api.ts'
import { call } from '../frame/session.ts'
import { useResource } from '../frame/use-resource.ts'

export type DuePrize = { eventNumber: number; place: number; unpaid: bigint }

/** By the winner's wallet, in lower case: the first prize in USDT that is not paid yet. */
export function useDuePrizes(): ReadonlyMap<string, DuePrize> {
  const { data = [] } = useResource(() => call(() => api.prizes.get()), { everyMs: 60_000 })
  const due = new Map<string, DuePrize>()
  // The newest event comes first; the rule pays the oldest.
  for (const { eventNumber, place, state, unpaid, holder } of data.toReversed()) {
    const wallet = holder?.walletAddress.toLowerCase()
    if (state === 'due' && unpaid && wallet && !due.has(wallet))
      due.set(wallet, { eventNumber, place, unpaid: BigInt(unpaid) })
  }
  return due
}
