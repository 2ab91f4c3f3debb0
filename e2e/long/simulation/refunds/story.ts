import fc from 'fast-check'

/** `a` picks from what exists at that moment: a row, a popup, a signed transaction. */
export type Step =
  | { do: 'offer'; path: 'register' | 'transfers'; wallet: 0 | 1; a: number; several: boolean }
  | { do: 'sign'; a: number; isHeard: boolean }
  | { do: 'reject' | 'forget' | 'drop' | 'send again'; a: number }
  | { do: 'pay late'; buyer: number; cents: number }
  | { do: 'by hand'; a: number; isHalf: boolean }
  | { do: 'mine'; blocks: number }
  | { do: 'replace'; depth: number }
  | { do: 'wait'; seconds: number }
  | { do: 'work'; dieAt: number | null }
  | { do: 'waive' | 'say the key is lost' | 'empty the database' }

/** One raffle that missed its minimum, and what two wallets, their pages and a chain do about its refunds. */
export type RefundStory = {
  endpoints: number
  payments: { buyer: number; cents: number }[]
  steps: Step[]
}

const upTo = (max: number, min = 0) => fc.integer({ min, max })
const any = upTo(30)
const step = <T extends Step['do'], R extends object>(
  name: T,
  fields: { [K in keyof R]: fc.Arbitrary<R[K]> },
) => fc.record({ do: fc.constant(name), ...fields }) as fc.Arbitrary<{ do: T } & R>
const payment = { buyer: upTo(4, 1), cents: upTo(12_00, 50) }
/** Mostly the wallet that was paid. */
const wallet = fc.constantFrom<(0 | 1)[]>(0, 0, 0, 1)

const always = [
  {
    weight: 8,
    arbitrary: step('offer', {
      path: fc.constant('register' as const),
      wallet,
      a: any,
      several: fc.boolean(),
    }),
  },
  { weight: 9, arbitrary: step('sign', { a: any, isHeard: fc.boolean() }) },
  { weight: 1, arbitrary: step('reject', { a: any }) },
  { weight: 1, arbitrary: step('forget', { a: any }) },
  { weight: 2, arbitrary: step('drop', { a: any }) },
  { weight: 2, arbitrary: step('send again', { a: any }) },
  { weight: 1, arbitrary: step('pay late', payment) },
  { weight: 8, arbitrary: step('mine', { blocks: upTo(3, 1) }) },
  { weight: 2, arbitrary: step('replace', { depth: upTo(2, 1) }) },
  { weight: 3, arbitrary: step('wait', { seconds: fc.oneof(upTo(100), upTo(4_000, 3_000)) }) },
  {
    weight: 9,
    arbitrary: step('work', { dieAt: fc.option(upTo(20), { freq: 1 }) }),
  },
] as const
const withoutContract = [
  {
    weight: 5,
    arbitrary: step('offer', {
      path: fc.constant('transfers' as const),
      wallet,
      a: any,
      several: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: step('by hand', { a: any, isHalf: fc.boolean() }) },
  { weight: 1, arbitrary: step('waive', {}) },
  { weight: 1, arbitrary: step('say the key is lost', {}) },
] as const
/** The nonce rule lives in the database; only the register remembers without it. */
const withoutMemory = [{ weight: 2, arbitrary: step('empty the database', {}) }] as const

const storyOf = (...steps: { weight: number; arbitrary: fc.Arbitrary<Step> }[]): fc.Arbitrary<RefundStory> =>
  fc.record({
    endpoints: upTo(2, 1),
    payments: fc.array(fc.record(payment), { minLength: 1, maxLength: 6 }),
    steps: fc.array(fc.oneof(...steps), { minLength: 15, maxLength: 60 }),
  })

export const refundStory: fc.Arbitrary<RefundStory> = fc.oneof(
  storyOf(...always, ...withoutContract),
  storyOf(...always, ...withoutMemory),
)
