import { keccak256, toHex } from 'viem'
import type { PublicSolvency } from '../../core/live/public.ts'
import type { PublicPrize, PublicPrizeStep } from '../../core/prize/promise.ts'

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const day = 86_400
const agoOf = (now: number, seconds: number): string => new Date(now - seconds * 1000).toISOString()
const unitsOf = (cents: number): string => (BigInt(cents) * 10n ** 16n).toString()
const hashOf = (name: string) => keccak256(toHex(name))

/** What a server tells that holds 41,320 USDT and owes 37,131, eight seconds after its block. */
export const solvency = (now: number, change: Partial<PublicSolvency> = {}): PublicSolvency => ({
  ...{ state: 'covered', held: unitsOf(4_132_050), required: unitsOf(3_713_100) },
  block: { number: 124_045_349, timestamp: Math.floor(now / 1000) - 8 },
  ...change,
})

const nothingRead = { state: 'unknown', held: null, required: null, block: null } as const

/** The states of the line beside the minimum; `undefined` before the server has told any. */
export const covers = (now: number) => ({
  loading: undefined,
  covered: solvency(now),
  // One unit less than what is owed: the smallest that can be missing.
  short: solvency(now, { state: 'short', held: `${BigInt(unitsOf(3_713_100)) - 1n}` }),
  unknown: solvency(now, nothingRead),
})

/** Prizes of event 13 on one day. */
export function prizesAt(now: number) {
  const step = (
    name: PublicPrizeStep['step'],
    daysAgo: number,
    walletAddress: PublicPrizeStep['walletAddress'] = wallet,
    transaction?: string,
  ): PublicPrizeStep => ({
    ...{ step: name, at: agoOf(now, daysAgo * day), walletAddress },
    transactionHash: transaction ? hashOf(transaction) : null,
    reason: null,
  })
  const prize = (change: Partial<PublicPrize> = {}): PublicPrize => ({
    ...{ eventNumber: 13, place: 1, kind: 'goods', units: null, state: 'unclaimed' },
    holder: { kind: 'winner', place: 1, walletAddress: wallet },
    ...{ claimBy: agoOf(now, -29 * day), steps: [step('drawn', 1)] },
    ...change,
  })
  const toReserve = [step('drawn', 48), step('turn', 18, other)]
  const claimed = [...toReserve, step('claimed', 12, other, 'claim on the chain')]
  const sent = [...claimed, step('sent', 9, other)]
  const ofReserve = (state: PublicPrize['state'], steps: PublicPrizeStep[], reason?: string) =>
    prize({
      ...{ state, holder: { kind: 'reserve', place: 1, walletAddress: other }, claimBy: null },
      steps: reason ? [...steps, { ...step('corrected', 7, other), reason }] : steps,
    })
  const token = { kind: 'token', units: unitsOf(50_000), claimBy: null } as const
  const states = {
    unclaimed: prize(),
    reserve: { ...ofReserve('unclaimed', toReserve), claimBy: agoOf(now, -12 * day) },
    claimed: ofReserve('claimed', claimed),
    sent: ofReserve('sent', sent),
    corrected: ofReserve('claimed', sent, 'The carrier sent the parcel back.'),
    delivered: ofReserve('delivered', [...sent, step('delivered', 4, other)]),
    lapsed: prize({ holder: null, claimBy: null, steps: toReserve }),
    due: prize({ ...token, state: 'due' }),
    paid: prize({ ...token, state: 'sent', steps: [step('drawn', 3), step('sent', 1, wallet, 'paid')] }),
  }
  /** Three places, each at another point of its way. */
  const several = [states.unclaimed, states.due, states.delivered].map((each, index) => ({
    ...{ ...each, place: index + 1 },
    holder: each.holder?.kind === 'winner' ? { ...each.holder, place: index + 1 } : (each.holder ?? null),
  }))
  return { prize, states, several }
}
