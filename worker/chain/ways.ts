import type { RpcFailure } from './failure.ts'

/** One way to find payments, and what is known of it at an endpoint. */
export type Way = {
  hasAnswered: boolean
  /** Refusals in a row, and the time of the first. */
  refusals: number
  refusedAt: number
  isOff: boolean
}
export type Ways = {
  now: () => number
  /** `eth_getLogs` over ranges, and the receipts of whole blocks. */
  ranges: Way
  receipts: Way
  /** When disabled ways are tried again. */
  askAgainAt: number
}

const methodNotFound = -32601
const enoughRefusals = 3
/** A way that has answered before may refuse for this long before it is off; others may serve meanwhile. */
const deadlineMs = 10_000
/** A disabled way is tried again at this interval, with one request: plans and settings change. */
const askAgainMs = 60_000
/** With both off payments wait, and a ticket must be credited within 5 s after the endpoint has recovered. */
const askAgainSoonMs = 2_000

export const newWays = (now: () => number): Ways => ({
  ...{ now, ranges: newWay(), receipts: newWay() },
  askAgainAt: Number.NEGATIVE_INFINITY,
})
const newWay = (): Way => ({ hasAnswered: false, refusals: 0, refusedAt: 0, isOff: false })

export function noteAnswer(way: Way): void {
  Object.assign(way, { hasAnswered: true, refusals: 0, isOff: false })
}

/** A way is off if the method does not exist, never answered or keeps refusing, not after one failure. */
export function noteRefusal(ways: Ways, way: Way, failure: RpcFailure): void {
  const now = ways.now()
  if (way.refusals++ === 0) way.refusedAt = now
  const goesOn = way.refusals >= enoughRefusals && (!way.hasAnswered || now - way.refusedAt >= deadlineMs)
  if (failure.code !== methodNotFound && !goesOn) return
  way.isOff = true
  postpone(ways)
}

/** True if neither way is left: such an endpoint finds no payments. */
export const isMute = ({ ranges, receipts }: Ways): boolean => ranges.isOff && receipts.isOff

/** The ways to try again now; postpones the next try. */
export function takeDue(ways: Ways): ('ranges' | 'receipts')[] {
  const off = (['ranges', 'receipts'] as const).filter((name) => ways[name].isOff)
  if (off.length === 0 || ways.now() < ways.askAgainAt) return []
  postpone(ways)
  return off
}

function postpone(ways: Ways): void {
  ways.askAgainAt = ways.now() + (isMute(ways) ? askAgainSoonMs : askAgainMs)
}

/** How the endpoint finds payments: by log ranges, by the receipts of single blocks, or not at all. */
export function modeOf(ways: Ways): 'unknown' | 'ranges' | 'receipts' | 'none' {
  if (isMute(ways)) return 'none'
  if (ways.ranges.isOff) return 'receipts'
  return ways.ranges.hasAnswered ? 'ranges' : 'unknown'
}
