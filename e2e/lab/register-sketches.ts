import fc from 'fast-check'
import type { Address } from 'viem'
import { type Debt, moods, owe, person } from './register.ts'
import type { Ask, Step } from './register-model.ts'

/** How many debtors there are, `person(0)` and so on. */
export const people = 6

const debts: fc.Arbitrary<Debt[]> = fc
  .record({
    rows: fc.array(
      fc.record({
        number: fc.nat(people - 1),
        total: fc.bigInt(0n, 40n),
        payee: fc.option(
          fc.nat(3).map((number) => person(100 + number)),
          { nil: undefined },
        ),
      }),
      { maxLength: 5 },
    ),
    isDisordered: fc.nat(9).map((chance) => chance === 0),
  })
  .map(({ rows, isDisordered }) => {
    const ordered = [...new Map(rows.map((row) => [row.number, row])).values()].sort(
      (a, b) => a.number - b.number,
    )
    return (isDisordered ? rows : ordered).map(({ number, total, payee }) => owe(number, total, payee))
  })

const wallet = fc.nat(2)
const ask = fc.record({
  ...{ do: fc.constantFrom('pay', 'pay', 'pay', 'waive'), wallet, token: fc.nat(2), debts },
  /** Seconds from the block of its step to the deadline. */
  slack: fc.constantFrom(-1n, 0n, 1n, 9n, 10n, 1_000n, 1_000n),
})
const approve = fc.record({
  ...{ do: fc.constant('approve'), wallet, token: fc.nat(2), units: fc.bigInt(0n, 100n) },
})
const mood = fc.record({
  ...{ do: fc.constant('mood'), token: fc.nat(1) },
  mood: fc.constantFrom(...moods, 'ReturnsTrue', 'ReturnsTrue', 'ReturnsNothing'),
})
const prepare = fc.record({ do: fc.constant('prepare'), token: fc.nat(1), ask })
const sketch = fc.oneof(
  { weight: 12, arbitrary: ask },
  { weight: 1, arbitrary: approve },
  { weight: 4, arbitrary: mood },
  { weight: 5, arbitrary: prepare },
)
type Drawn<T> = T extends fc.Arbitrary<infer Value> ? Value : never
type Sketch = Drawn<typeof sketch>

/** Blocks of steps that name wallets and tokens by their numbers: 0 and 1 are tokens with moods. */
export const stories: fc.Arbitrary<Sketch[][]> = fc.array(fc.array(sketch, { minLength: 4, maxLength: 16 }), {
  minLength: 1,
  maxLength: 3,
})

type Cast = { wallets: readonly Address[]; tokens: readonly Address[] }

/** A step with addresses, in a block of this time. Tokens call in the name of the last wallet alone. */
export function stepOf(sketch: Sketch, { wallets, tokens }: Cast, time: bigint): Step {
  const token = tokens[sketch.token] as Address
  const askOf = (one: Drawn<typeof ask>, asking: number): Ask => ({
    ...{ do: one.do as Ask['do'], wallet: wallets[asking] as Address, token: tokens[one.token] as Address },
    ...{ debts: one.debts, validUntil: time + one.slack },
  })
  if ('ask' in sketch) return { do: 'prepare', token, ask: askOf(sketch.ask, wallets.length - 1) }
  if ('mood' in sketch) return { do: 'mood', token, mood: sketch.mood }
  if ('units' in sketch)
    return { do: 'approve', wallet: wallets[sketch.wallet] as Address, token, units: sketch.units }
  return askOf(sketch, sketch.wallet)
}
