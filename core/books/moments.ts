import type { Flow, Opening } from '../flows/flow.ts'

export type Moment = { at: number; block: bigint | null } & (
  | { kind: 'opening'; opening: Opening }
  | { kind: 'draw' | 'refund_mode'; eventNumber: number }
)

/** What comes about between flows: at the end of a block, or behind a time where no block says it. Each is told once. */
export function openMoments({
  openings,
  draws,
  refunding,
}: {
  openings: readonly (Opening & { at: number })[]
  draws: readonly { eventNumber: number; blockNumber: bigint; at: number }[]
  refunding: readonly { eventNumber: number; at: number }[]
}) {
  let left: Moment[] = [
    ...openings.map(
      (opening): Moment => ({ kind: 'opening', at: opening.at, block: opening.blockNumber, opening }),
    ),
    ...draws.map(
      ({ eventNumber, blockNumber, at }): Moment => ({ kind: 'draw', at, block: blockNumber, eventNumber }),
    ),
    ...refunding.map(
      ({ eventNumber, at }): Moment => ({ kind: 'refund_mode', at, block: null, eventNumber }),
    ),
  ].sort((a, b) => a.at - b.at || Number((a.block ?? 0n) - (b.block ?? 0n)))
  // Several blocks share a second, so one that waits does not hold up those behind it.
  function due(isDue: (moment: Moment) => boolean): Moment[] {
    if (!left.some(isDue)) return []
    const found = left.filter(isDue)
    left = left.filter((moment) => !isDue(moment))
    return found
  }
  return {
    before: ({ blockNumber, blockTime }: Pick<Flow, 'blockNumber' | 'blockTime'>): Moment[] =>
      due(({ at, block }) => (block === null ? at < blockTime : block < blockNumber)),
    upTo: (time: number): Moment[] => due(({ at }) => at <= time),
  }
}
