import type { LiveChange, PublicPurchase, PublicState } from './public.ts'

/** How many purchases the public list holds. */
export const recentLimit = 50

/** The parts of `next` that differ from `known`; of the purchases only the new ones, not the whole list. */
export function changeBetween(known: PublicState, next: PublicState, now: number): LiveChange {
  const { version, recent, ...parts } = next
  const change: LiveChange = { version, now }
  for (const [name, value] of Object.entries(parts))
    if (!same(known[name as keyof typeof parts], value)) Object.assign(change, { [name]: value })
  if (same(known.recent, recent)) return change
  const recentAdded = addedTo(known.recent, recent)
  return recentAdded ? { ...change, recentAdded } : { ...change, recent }
}

/** Merges a change into `known`; parts that the change does not name stay as they were. */
export function applyChange<K extends Partial<PublicState>>(known: K, change: LiveChange): K {
  const { now: _, recentAdded, ...parts } = change
  if (!recentAdded) return { ...known, ...parts }
  return { ...known, ...parts, recent: [...recentAdded, ...(known.recent ?? [])].slice(0, recentLimit) }
}

/** The purchases added in front of `known`; undefined if the lists differ in any other way. */
function addedTo(known: PublicPurchase[], next: PublicPurchase[]): PublicPurchase[] | undefined {
  const count = next.findIndex((purchase) => purchase.id === known[0]?.id)
  if (count < 1) return undefined
  const added = next.slice(0, count)
  return same([...added, ...known].slice(0, recentLimit), next) ? added : undefined
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
