import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flowOf, foldOf, holders, openingAt, prizesOf, termsOf, wallets } from '../../e2e/lab/flow-words.ts'
import { smaller } from '../refund/allocate.ts'
import type { Flow } from './flow.ts'
import { type FoldTerms, openFold, paidBackBy } from './fold.ts'

const anyUnits = fc.bigInt({ min: 1n, max: 60n })
const anyWallet = fc.constantFrom(...wallets)
const anyHolder = fc.constantFrom(...holders)
/** Whether it follows in the same transaction, the same block, or a later one. */
const anyPlace = fc.constantFrom('transaction', 'block', 'later', 'later')

const anyStep = fc.record({
  place: anyPlace,
  wallet: anyWallet,
  holder: anyHolder,
  units: anyUnits,
  event: fc.constantFrom(1, 2),
  kind: fc.constantFrom(
    ...(['credited', 'credited', 'credited', 'leftover', 'refund', 'refund', 'register'] as const),
    ...(['prize', 'out', 'in', 'move'] as const),
  ),
})
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

function toFlows(steps: readonly Step[]): Flow[] {
  let [block, transaction] = [1, 1]
  return steps.flatMap(({ place, wallet, holder: counterparty, units, event: eventNumber, kind }) => {
    if (place !== 'transaction') transaction++
    if (place === 'later') block++
    const of = { block, transaction, wallet, counterparty, units }
    const out = { ...of, direction: 'out' } as const
    const other = wallets.find((one) => one !== wallet) as Flow['wallet']
    switch (kind) {
      case 'credited':
      case 'leftover':
        return flowOf({ ...of, eventNumber, class: kind })
      case 'refund':
      case 'register':
        return flowOf({ ...out, class: 'refund', debtor: counterparty, isRegister: kind === 'register' })
      case 'prize':
        return flowOf({ ...out, eventNumber, class: 'prize' })
      case 'move':
        return [
          flowOf({ ...out, counterparty: other, class: 'own' }),
          flowOf({ ...of, wallet: other, counterparty: wallet, class: 'own' }),
        ]
      default:
        return flowOf({ ...(kind === 'out' ? out : of), class: 'other' })
    }
  })
}

const anyStory = fc.record({
  flows: fc.array(anyStep, { minLength: 100, maxLength: 120, size: 'max' }).map(toFlows),
  drawnAt: fc.integer({ min: 1, max: 200 }),
  saleStart: fc.integer({ min: 0, max: 60 }),
  dust: fc.constantFrom(0n, 5n, 40n),
  prize: fc.bigInt({ min: 0n, max: 900n }),
  opening: fc.bigInt({ min: 0n, max: 500n }),
})

/** What holds behind the first `flows`, from nothing: no sum is carried on. */
function coverBehind(flows: readonly Flow[], terms: FoldTerms): bigint {
  const now = flows.at(-1) as Flow
  let held = 0n
  for (const { units } of terms.openings) held += units
  for (const { direction, units } of flows) held += direction === 'in' ? units : -units
  const drawnAt = (event: number | null): bigint =>
    terms.draws.find(({ eventNumber }) => eventNumber === event)?.blockNumber ?? 10_000n
  const debts = flows
    .filter((flow) => flow.class === 'credited' || flow.class === 'leftover')
    .filter(
      ({ class: kind, eventNumber, blockNumber }) =>
        kind === 'leftover' || blockNumber <= drawnAt(eventNumber),
    )
    .map((flow) => ({ flow, place: flows.indexOf(flow), open: flow.units }))
  flows.forEach((refund, place) => {
    if (refund.direction === 'in' || !['refund', 'other'].includes(refund.class)) return
    const debtor = refund.debtor ?? refund.counterparty
    let left = refund.units
    const wanted = debts.filter(({ flow, place: from }) => {
      const isHis = flow.counterparty === debtor && from < place
      const isOpen = flow.class === 'leftover' || drawnAt(flow.eventNumber) >= refund.blockNumber
      return (
        isHis &&
        isOpen &&
        (refund.isRegister ? flow.wallet === refund.wallet : flow.blockNumber < refund.blockNumber)
      )
    })
    const rank = ({ flow }: (typeof debts)[number]) =>
      (flow.class === 'leftover' ? 0 : 2) + (flow.wallet === refund.wallet ? 0 : 1)
    for (const debt of wanted.sort((a, b) => rank(a) - rank(b) || a.place - b.place)) {
      const paid = smaller(debt.open, left)
      debt.open -= paid
      left -= paid
    }
  })
  const sum = (which: (flow: Flow) => boolean) =>
    debts.reduce((total, { flow, open }) => (which(flow) ? total + open : total), 0n)
  let required = 0n
  for (const holder of holders) {
    const left = sum((flow) => flow.class === 'leftover' && flow.counterparty === holder)
    required += left < terms.dust ? 0n : left
  }
  for (const event of [1, 2]) {
    const paid = flows.filter((flow) => flow.class === 'prize' && flow.eventNumber === event)
    const prize = paid.reduce((open, { units }) => open - units, terms.prizes.get(event)?.get(1) ?? 0n)
    const isDrawn = drawnAt(event) < now.blockNumber
    const credited = isDrawn ? 0n : sum((flow) => flow.class === 'credited' && flow.eventNumber === event)
    required += prize > credited ? prize : credited
  }
  return held - required
}

test('over 100,000 random flows the lowest cover is that of every transaction looked at by itself', () => {
  let seen = 0
  const property = fc.property(anyStory, ({ flows, drawnAt, saleStart, dust, prize, opening }) => {
    seen += flows.length
    const terms = termsOf({
      ...{ saleStart, dust, prizes: prizesOf({ 1: [prize] }) },
      draws: [{ eventNumber: 1, blockNumber: BigInt(drawnAt) }],
      openings: [openingAt(wallets[0], 0, opening), openingAt(wallets[1], 0, 7n)],
    })
    const fold = foldOf(terms)
    for (const flow of flows) fold.take(flow)
    const { lowest, points } = fold.sums(10_000n)
    const ends = flows.flatMap(({ transactionHash, blockTime }, place) =>
      transactionHash !== flows[place + 1]?.transactionHash && blockTime >= saleStart ? [place + 1] : [],
    )
    const covers = ends.map((end) => coverBehind(flows.slice(0, end), terms))
    const least = covers.reduce<bigint | undefined>(
      (low, one) => (low === undefined || one < low ? one : low),
      undefined,
    )
    expect(lowest?.cover).toBe(least)
    const first = ends[least === undefined ? -1 : covers.indexOf(least)]
    expect(lowest?.transactionHash).toBe(first === undefined ? undefined : flows[first - 1]?.transactionHash)
    expect(points.map(({ cover }) => BigInt(cover))).toEqual(
      covers.length <= 120 ? covers : expect.anything(),
    )
  })
  fc.assert(property, { numRuns: 1_000 })
  expect(seen).toBeGreaterThanOrEqual(100_000)
})

test('a fold that is asked in between tells the same in the end', () => {
  fc.assert(
    fc.property(anyStory, fc.integer({ min: 1, max: 90 }), ({ flows, prize, dust }, cut) => {
      const terms = termsOf({
        dust,
        prizes: prizesOf({ 2: [prize] }),
        draws: [{ eventNumber: 1, blockNumber: 90n }],
      })
      const [whole, parted] = [foldOf(terms), foldOf(terms)]
      const at = flows.findIndex(({ blockNumber }) => blockNumber > BigInt(cut))
      flows.forEach((flow, place) => {
        whole.take(flow)
        if (place === at) parted.sums(flow.blockNumber - 1n)
        parted.take(flow)
      })
      expect(parted.sums(10_000n)).toEqual(whole.sums(10_000n))
    }),
    { numRuns: 50 },
  )
})

test('a fold that is told of each page whom it may pay back, and what they had before, keeps no others and tells the same', () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 110 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(
      anyStory,
      cuts,
      fc.integer({ min: 1, max: 110 }),
      ({ flows, prize, dust, drawnAt }, ends, refunding) => {
        const terms = termsOf({
          ...{ dust, prizes: prizesOf({ 2: [prize] }), refunding: new Set(refunding % 2 ? [2] : []) },
          draws: [{ eventNumber: 1, blockNumber: BigInt(drawnAt) }],
        })
        const [whole, paged] = [foldOf(terms), openFold(terms)]
        for (const flow of flows) whole.take(flow)
        const blocks = [...new Set([0, ...ends, 10_000])].sort((a, b) => a - b)
        blocks.slice(1).forEach((end, index) => {
          const isIn = ({ blockNumber }: Flow) =>
            blockNumber <= end && blockNumber > (blocks[index] as number)
          const page = flows.filter(isIn)
          const payers = new Set(page.flatMap((flow) => paidBackBy(flow) ?? []))
          const past = flows.filter(
            (flow) =>
              flow.blockNumber <= (blocks[index] as number) &&
              payers.has(paidBackBy(flow) ?? flow.counterparty),
          )
          paged.recall(payers, past)
          for (const flow of page) paged.take(flow)
        })
        expect(paged.sums(10_000n)).toEqual(whole.sums(10_000n))
      },
    ),
    { numRuns: 200 },
  )
})
