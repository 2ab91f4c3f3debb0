import fc from 'fast-check'
import { concat, type Hex, keccak256, numberToHex, sha256, stringToHex, toHex } from 'viem'
import { expect, test } from 'vitest'
import { drawWinner } from './draw.ts'
import { drawAll, type Holding, placeOf } from './winners.ts'

const payments = fc
  .array(fc.record({ payer: fc.integer({ min: 1, max: 12 }), ticketCount: fc.integer({ min: 1, max: 9 }) }), {
    minLength: 1,
    maxLength: 30,
  })
  .map((rows) => {
    let ticketNumber = 1
    return rows.map(({ payer, ticketCount }): Holding => {
      const holding = { payer: `0x${payer}`, ticketNumber, ticketCount }
      ticketNumber += ticketCount
      return holding
    })
  })
const seeds = fc.nat().map((n): Hex => keccak256(toHex(n)))

const drawFrom = (list: readonly Holding[], seed: Hex, winners: number) => {
  const ticketsSold = list.reduce((sum, { ticketCount }) => sum + ticketCount, 0)
  const draw = drawWinner(seed, ticketsSold)
  return drawAll(draw, winners, {
    ticketsSold,
    holderOf: (ticket) => list.findLast(({ ticketNumber }) => ticketNumber <= ticket) as Holding,
    paymentsOf: (payer) => list.filter((one) => one.payer === payer),
  })
}

/** The rule as DESIGN words it, over one element for each ticket. */
function byTheWord(list: readonly Holding[], seed: Hex, winners: number): number[] {
  const tickets = list.flatMap(({ payer, ticketNumber, ticketCount }) =>
    Array.from({ length: ticketCount }, (_, i) => ({ payer, ticket: ticketNumber + i })),
  )
  const drawn = [drawWinner(seed, tickets.length).winningTicket]
  const draws = [
    ...Array.from({ length: winners - 1 }, (_, i) => ['winner', i + 2] as const),
    ...[1, 2, 3].map((k) => ['reserve', k] as const),
  ]
  for (const [kind, k] of draws) {
    const payersDrawn = new Set(drawn.map((ticket) => tickets[ticket - 1]?.payer))
    const left = tickets.filter(({ payer }) => !payersDrawn.has(payer))
    if (left.length === 0) break
    const x = BigInt(
      sha256(concat([seed, stringToHex(kind), numberToHex(k, { size: 4 }), numberToHex(0, { size: 4 })])),
    )
    drawn.push(left[Number(x % BigInt(left.length))]?.ticket as number)
  }
  return drawn
}

test('winners and reserves are those of the rule, each of another payer', async () => {
  await fc.assert(
    fc.asyncProperty(payments, seeds, fc.integer({ min: 1, max: 20 }), async (list, seed, count) => {
      const { winners, reserves } = await drawFrom(list, seed, count)
      const drawn = [...winners, ...reserves]
      expect(drawn.map(({ ticket }) => ticket)).toEqual(byTheWord(list, seed, count))
      const payers = new Set(list.map(({ payer }) => payer)).size
      expect(winners).toHaveLength(Math.min(count, payers))
      expect(reserves).toHaveLength(Math.min(3, Math.max(0, payers - count)))
      expect(new Set(drawn.map(({ payment }) => payment.payer)).size).toBe(drawn.length)
    }),
  )
})

test('a number that would favour some tickets is tried again', () => {
  const seed = keccak256('0x01')
  const numberOf = (attempt: number) =>
    BigInt(
      sha256(
        concat([seed, stringToHex('winner'), numberToHex(2, { size: 4 }), numberToHex(attempt, { size: 4 })]),
      ),
    )
  const first = numberOf(0)
  expect(placeOf(seed, 'winner', 2, 97)).toBe(Number(first % 97n) + 1)
  // A limit that refuses exactly the first number.
  const accepted = Array.from({ length: 50 }, (_, i) => numberOf(i)).find((x) => x < first) as bigint
  expect(placeOf(seed, 'winner', 2, 97, first)).toBe(Number(accepted % 97n) + 1)
})
