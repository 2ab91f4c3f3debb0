import type { RpcFailure } from './failure.ts'

/** One way to find payments, and what was learned of it at an endpoint. */
export type Way = {
  hasAnswered: boolean
  /** Refusals in a row, and when the first of them came. */
  refusals: number
  refusedAt: number
  isOff: boolean
}
export type Ways = {
  /** `eth_getLogs` over ranges, and the receipts of whole blocks. */
  ranges: Way
  receipts: Way
  /** When what is off is asked again. */
  askAgainAt: number
}

const methodNotFound = -32601
const enoughRefusals = 3
/** For so long what has answered before may refuse without being off: others serve it meanwhile, or nobody. */
const patienceMs = 10_000
/** What an endpoint cannot do is asked again now and then, by one question: plans and settings change. */
const askAgainMs = 60_000
/** With both off its payments wait, and a ticket is to be credited within 5 s after the endpoint is well. */
const askAgainSoonMs = 2_000

export const newWays = (): Ways => ({ ranges: newWay(), receipts: newWay(), askAgainAt: 0 })
const newWay = (): Way => ({ hasAnswered: false, refusals: 0, refusedAt: 0, isOff: false })

export function noteAnswer(way: Way): void {
  Object.assign(way, { hasAnswered: true, refusals: 0, isOff: false })
}

/** Off is what does not exist, what never answered, and what goes on refusing; not what failed once. */
export function noteRefusal(ways: Ways, way: Way, failure: RpcFailure): void {
  const now = performance.now()
  if (way.refusals++ === 0) way.refusedAt = now
  const goesOn = way.refusals >= enoughRefusals && (!way.hasAnswered || now - way.refusedAt >= patienceMs)
  if (failure.code !== methodNotFound && !goesOn) return
  way.isOff = true
  postpone(ways)
}

/** True where neither way is left: such an endpoint finds no payment. */
export const isMute = ({ ranges, receipts }: Ways): boolean => ranges.isOff && receipts.isOff

/** The ways to be asked again now; the next time is a while later. */
export function takeDue(ways: Ways): ('ranges' | 'receipts')[] {
  const off = (['ranges', 'receipts'] as const).filter((name) => ways[name].isOff)
  if (off.length === 0 || performance.now() < ways.askAgainAt) return []
  postpone(ways)
  return off
}

function postpone(ways: Ways): void {
  ways.askAgainAt = performance.now() + (isMute(ways) ? askAgainSoonMs : askAgainMs)
}

/** How payments are found there: by log ranges, by the receipts of single blocks, or not at all. */
export function modeOf(ways: Ways): 'unknown' | 'ranges' | 'receipts' | 'none' {
  if (isMute(ways)) return 'none'
  if (ways.ranges.isOff) return 'receipts'
  return ways.ranges.hasAnswered ? 'ranges' : 'unknown'
}
