import fc from 'fast-check'
import type { RpcFault } from '../../lab/rpc-faults.ts'

/** Lies that one endpoint alone can be caught at: its other answers contradict them. */
export const plainLies = [
  'half-of-the-logs',
  'swapped-indexes',
  'future-head',
  'stale-head',
  'stalled-finality',
  'pruned-null',
  'pruned-error',
  'null-receipts',
  'no-finalized-tag',
  'logs-disabled',
  'no-block-receipts',
  'batches-of-3',
  'down',
] as const satisfies RpcFault[]
/** A single endpoint would be believed: it takes a second one to see them. */
export const deepLies = [
  'half-of-the-block',
  'swapped-transactions',
  'final-at-once',
  'empty-logs',
  'missing-log',
  'other-logs',
  'other-block-hash',
  'reverted-receipts',
] as const satisfies RpcFault[]
export type Lie = (typeof plainLies)[number] | (typeof deepLies)[number]

export const upTo = (max: number, min = 0) => fc.integer({ min, max })
const buyer = upTo(5, 1)
/** Of the three wallets that the operator has. */
const wallet = upTo(2)
/** Mostly it lives. */
const dieAt = fc.option(upTo(20), { freq: 1 })
/** One of so many chances in all. */
export const step = <T extends string, R extends object>(
  weight: number,
  name: T,
  fields: { [K in keyof R]: fc.Arbitrary<R[K]> },
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name), ...fields }) as fc.Arbitrary<{ do: T } & R>,
})

/** Cents: mostly tickets, often not a whole number of them, sometimes one unit below a price. */
const cents = fc.oneof(upTo(40_00), fc.constantFrom(0, 2_99, 3_00, 3_01, 99_00))
const payment = fc.record({
  buyer,
  cents,
  /** Mostly the wallet of the open event. */
  to: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: wallet }),
  post: fc.boolean(),
})

const buying = [
  step(14, 'pay', { payments: fc.array(payment, { minLength: 1, maxLength: 4 }) }),
  step(2, 'pay together', {
    shares: fc.array(fc.record({ buyer, cents }), { minLength: 2, maxLength: 4 }),
  }),
  step(3, 'stranger', {
    does: fc.constantFrom('zero transfer', 'look-alike', 'dust', 'mint', 'old hash', 'rubbish'),
    buyer,
  }),
]
const blocks = [
  step(10, 'mine', { blocks: upTo(4, 1), seconds: upTo(2) }),
  step(2, 'wait', { seconds: upTo(40, 1) }),
  step(1, 'set the database clock', { ahead: fc.integer({ min: -50, max: 50 }) }),
  step(1, 'replace', { depth: upTo(64, 1), again: fc.boolean() }),
]
const work = [
  step(12, 'scan', { dieAt }),
  step(3, 'verify', { dieAt }),
  /** A hole in what all endpoints tell: one transaction of those that the scan comes to. */
  step(1, 'overlook', { which: upTo(3) }),
  step(1, 'two workers', {}),
  /** How often each job of the sweeper is run: a queue may lose a job or deliver it twice. */
  step(4, 'sweep', { runs: fc.array(upTo(2), { maxLength: 8 }), dieAt }),
]
const operator = [
  step(2, 'save', {
    drawIn: fc.option(upTo(90, 12), { nil: undefined }),
    minTickets: fc.option(upTo(40, 1), { nil: undefined }),
    wallet: fc.option(wallet, { nil: undefined, freq: 3 }),
  }),
  step(3, 'draft', {
    drawIn: fc.option(upTo(300, 60)),
    minTickets: fc.option(upTo(40, 1)),
    /** Mostly the worker draws, else little is ever drawn. */
    autoDraw: fc.constantFrom(null, null, true, false),
    claimDays: fc.option(upTo(90, 7)),
    /** The administrator still has the form of the draft before. */
    isOld: fc.constantFrom(false, false, false, true),
  }),
  step(4, 'come to the draw', { drawIn: upTo(90, 12) }),
  /** Without a date of its own it takes the draft's. */
  step(4, 'open the next event', { drawIn: fc.option(upTo(90, 12), { freq: 1 }) }),
  step(1, 'restart', {
    wallet: fc.option(wallet),
    price: fc.constantFrom(3_00, 2_00),
    lead: fc.constantFrom(10, 20),
  }),
  step(1, 'resume', {}),
  step(3, 'refund', { isOld: fc.boolean() }),
  step(2, 'pay out', { wallet, buyer, cents }),
  step(1, 'move own money', { from: wallet, to: wallet, cents }),
  step(1, 'stop the sale', { sure: upTo(3) }),
]
const lying = step(8, 'lie', { endpoint: upTo(2), plain: fc.boolean(), which: upTo(plainLies.length - 1) })
const honest = step(3, 'tell the truth', {})

const anyStep = fc.oneof(...buying, ...blocks, ...work, ...operator, lying, honest)
export type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** A world of one, two or three endpoints, and what happens in it. */
export const story = fc.record({
  endpoints: fc.constantFrom(1, 2, 2, 3),
  steps: fc.array(anyStep, { minLength: 25, maxLength: 60, size: 'max' }),
})
export type Story = typeof story extends fc.Arbitrary<infer T> ? T : never

/** In a world of one endpoint only plain lies are told. */
export const lieOf = ({ plain, which }: { plain: boolean; which: number }, endpoints: number): Lie =>
  plain || endpoints === 1
    ? (plainLies[which % plainLies.length] as Lie)
    : (deepLies[which % deepLies.length] as Lie)
