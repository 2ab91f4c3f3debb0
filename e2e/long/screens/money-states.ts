import { keccak256, toHex } from 'viem'
import type { PublicPrize, PublicPrizeStep, PublicSolvency } from '../../../core/flows/public-money.ts'
import { usdt } from '../../lab/usdt.ts'

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const stranger = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const day = 86_400
const agoOf = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString()
const unitsOf = (cents: number): string => (BigInt(cents) * 10n ** 16n).toString()
const hashOf = (name: string) => keccak256(toHex(name))

/** What a server tells that holds 41,320 USDT and owes 37,131, `seconds` after its block. */
export const solvency = (change: Partial<PublicSolvency> = {}, seconds = 8): PublicSolvency => ({
  ...{ eventNumber: 1, state: 'covered', token: usdt, equation: 'holds', ratioBp: 11_128 },
  block: {
    number: 124_045_349,
    hash: hashOf('solvent'),
    timestamp: Math.floor(Date.now() / 1000) - seconds,
  },
  ...{ held: unitsOf(4_132_050), required: unitsOf(3_713_100), cover: unitsOf(418_950) },
  wallets: [
    { address: wallet, held: unitsOf(4_000_000) },
    { address: other, held: unitsOf(132_050) },
  ],
  owed: {
    leftovers: unitsOf(200),
    refunds: '0',
    credited: unitsOf(3_712_900),
    prizes: '0',
  },
  lowest: {
    cover: unitsOf(120_000),
    at: agoOf(2 * day),
    block: 124_001_000,
    transactionHash: hashOf('lowest'),
  },
  ...{ shortSince: null, dust: unitsOf(10), promised: [] },
  outflow: { refund: unitsOf(1_500), prize: '0', own: unitsOf(132_050), other: '0' },
  others: [],
  ...change,
})

const toElsewhere = (units: string, seconds: number) => ({
  ...({ from: wallet, to: stranger } as const),
  ...{ transactionHash: hashOf(`other ${seconds}`), units, at: agoOf(seconds) },
})

/** One unit less than what is owed: the smallest that can be missing. */
export const short = (): PublicSolvency => {
  const gone = toElsewhere((4_189_500_000_000_000_000_000n + 1n).toString(), 12)
  const held = (BigInt(unitsOf(3_713_100)) - 1n).toString()
  return solvency({
    ...{
      state: 'short',
      held,
      cover: '-1',
      ratioBp: 9_999,
      others: [gone, toElsewhere(unitsOf(4_500), day)],
    },
    ...{ wallets: [{ address: wallet, held }] },
    lowest: { cover: '-1', at: gone.at, block: 124_045_340, transactionHash: gone.transactionHash },
    shortSince: { at: gone.at, block: 124_045_340, transactionHash: gone.transactionHash },
    outflow: {
      refund: '0',
      prize: '0',
      own: '0',
      other: (BigInt(gone.units) + BigInt(unitsOf(4_500))).toString(),
    },
  })
}

const unknown = (change: Partial<PublicSolvency>) =>
  solvency({ state: 'unknown', block: null, lowest: null, ratioBp: null, ...change })

/** The states of the line beside the minimum; `undefined` before the server has told any. */
export const covers = (): Record<string, PublicSolvency | undefined> => ({
  loading: undefined,
  covered: solvency(),
  others: solvency({
    others: [toElsewhere(unitsOf(4_500), 3_600), toElsewhere(unitsOf(12_000), day)],
    ...{ shortSince: null, dust: unitsOf(10), promised: [] },
    outflow: { refund: unitsOf(1_500), prize: '0', own: '0', other: unitsOf(16_500) },
  }),
  short: short(),
  unknown: unknown({ equation: 'unknown' }),
  broken: unknown({ equation: 'broken' }),
  stale: solvency({}, 7_200),
})

const step = (
  name: PublicPrizeStep['step'],
  daysAgo: number,
  walletAddress: PublicPrizeStep['walletAddress'] = wallet,
  transaction?: string,
): PublicPrizeStep => ({
  ...{ step: name, at: agoOf(daysAgo * day), walletAddress },
  transactionHash: transaction ? hashOf(transaction) : null,
  reason: null,
})

export const prize = (change: Partial<PublicPrize> = {}): PublicPrize => ({
  ...{ eventNumber: 13, place: 1, kind: 'goods', units: null, state: 'unclaimed' },
  holder: { kind: 'winner', place: 1, walletAddress: wallet },
  ...{ claimBy: agoOf(-29 * day), steps: [step('drawn', 1)] },
  ...change,
})

const toReserve = [step('drawn', 48), step('turn', 18, other)]
const reserve = { kind: 'reserve', place: 1, walletAddress: other } as const
const claimed = [...toReserve, step('claimed', 12, other, 'claim on the chain')]
const shipped = [...claimed, step('shipped', 9, other)]

/** What may become of one prize. */
export const prizeStates = (): Record<string, PublicPrize> => ({
  unclaimed: prize(),
  reserve: prize({ holder: reserve, claimBy: agoOf(-12 * day), steps: toReserve }),
  claimed: prize({ state: 'claimed', holder: reserve, claimBy: null, steps: claimed }),
  shipped: prize({ state: 'shipped', holder: reserve, claimBy: null, steps: shipped }),
  corrected: prize({
    ...{ state: 'claimed', holder: reserve, claimBy: null },
    steps: [...shipped, { ...step('corrected', 7, other), reason: 'The carrier sent the parcel back.' }],
  }),
  delivered: prize({
    ...{ state: 'delivered', holder: reserve, claimBy: null },
    steps: [...shipped, step('delivered', 4, other)],
  }),
  lapsed: prize({ holder: null, claimBy: null, steps: toReserve }),
  due: prize({ kind: 'token', units: unitsOf(50_000), state: 'due', claimBy: null }),
  paid: prize({
    ...{ kind: 'token', units: unitsOf(50_000), state: 'paid', claimBy: null },
    steps: [step('drawn', 3), step('paid', 1, wallet, 'paid')],
  }),
})

/** Three places, each at another point of its way. */
export function severalPrizes(): PublicPrize[] {
  const { delivered, due, unclaimed } = prizeStates()
  return [unclaimed, due, delivered].map((each, index) => ({
    ...(each as PublicPrize),
    place: index + 1,
    holder:
      each?.holder && each.holder.kind === 'winner'
        ? { ...each.holder, place: index + 1 }
        : (each?.holder ?? null),
  }))
}
