import { openDebts } from '../flows/debts.ts'
import type { Flow } from '../flows/flow.ts'
import { paidBackBy } from '../flows/fold.ts'

/** What all these flows, in chain order, leave open to their payers. */
export function debtsAfter(
  past: readonly Flow[],
  draws: readonly { eventNumber: number; blockNumber: bigint }[],
): ReturnType<typeof openDebts> {
  const inOrder = draws.toSorted((a, b) => Number(a.blockNumber - b.blockNumber))
  const found = openDebts(0n, () => true)
  let next = 0
  for (const flow of past) {
    for (let draw = inOrder[next]; draw && draw.blockNumber < flow.blockNumber; draw = inOrder[++next])
      found.draw(draw.eventNumber)
    if (flow.class === 'credited' || flow.class === 'leftover') found.owe(flow)
    else if (paidBackBy(flow) !== null) found.settle(flow)
  }
  return found
}
