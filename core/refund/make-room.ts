import { type Line, smaller } from './allocate.ts'
import type { OutTransfer } from './books.ts'

/** Where each transfer may count. */
type Accepting = ReadonlyMap<OutTransfer, readonly Line[]>
type Step = { transfer: OutTransfer; line: Line; before: Step | undefined }

/**
 * Counts what is left of a payment of the register wherever it can: what stands in its place moves on to debts that are
 * open elsewhere. A debt that was handed over takes payments of every wallet. Those of its new debtor, made for his own
 * debts, would else leave no room for what the former one had paid of it, and be called for once more. Returns what is
 * left even so. Nobody's sum depends on which of several ways is gone (augmenting paths, Ford and Fulkerson 1956).
 */
export function makeRoom(transfer: OutTransfer, left: bigint, accepting: Accepting): bigint {
  let rest = left
  while (rest > 0n) {
    const way = findWay(transfer, accepting)
    if (!way) break
    rest -= moveOn(way, rest)
  }
  return rest
}

/** The shortest way from a transfer to an open debt; each step on it displaces the transfer of the next. */
function findWay(from: OutTransfer, accepting: Accepting): Step | undefined {
  const seen = new Set<OutTransfer | Line>([from])
  const steps: { transfer: OutTransfer; before: Step | undefined }[] = [{ transfer: from, before: undefined }]
  for (const { transfer, before } of steps)
    for (const line of accepting.get(transfer) ?? []) {
      if (seen.has(line)) continue
      seen.add(line)
      const step = { transfer, line, before }
      if (line.open > 0n) return step
      for (const { transfer: next } of line.paidBy) {
        if (seen.has(next)) continue
        seen.add(next)
        steps.push({ transfer: next, before: step })
      }
    }
  return undefined
}

function moveOn(last: Step, most: bigint): bigint {
  let units = smaller(most, last.line.open)
  for (let step: Step = last; step.before; step = step.before)
    units = smaller(units, unitsAt(step.before.line, step.transfer))
  last.line.open -= units
  for (let step: Step | undefined = last; step; step = step.before) {
    change(step.line, step.transfer, units)
    if (step.before) change(step.before.line, step.transfer, -units)
  }
  return units
}

const unitsAt = (line: Line, transfer: OutTransfer): bigint =>
  line.paidBy.find((one) => one.transfer === transfer)?.units ?? 0n

function change(line: Line, transfer: OutTransfer, by: bigint): void {
  const units = unitsAt(line, transfer) + by
  const others = line.paidBy.filter((one) => one.transfer !== transfer)
  line.paidBy = units > 0n ? [...others, { transfer, units }] : others
}
