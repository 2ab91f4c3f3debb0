import { type Static, Type as t } from '@sinclair/typebox'
import type { Hash } from 'viem'
import type { ChainHealth } from '../../core/chain/chain-health.ts'
import { type Acceptance, oldestAge, youngestAge } from '../../core/house/rules.ts'
import type { QueueName } from '../../core/jobs.ts'
import { paymentReasons } from '../../core/payment/payment.ts'
import {
  address,
  answer,
  cents,
  hash,
  listed,
  moment,
  whole as number,
  orNull,
  reason,
  status,
} from '../http/answers.ts'
import { exact, optional, read, refusal } from '../http/schema.ts'
import { cursor, digits, hash as hashIn, oneOf, wallet, walletHint } from '../http/values.ts'

/** One that is larger than any payment counts as left out: a hint must not cost a payment. */
const hint = (max: number, code: 'INVALID_QUANTITY' | 'INVALID_AMOUNT') =>
  t.Optional(read(t.Integer({ minimum: 1, ...refusal(code) }), (value) => (value <= max ? value : undefined)))

/** What a buyer said before paying: a hint, so whatever is no such thing counts as left out. */
const acceptance = read(
  t.Any({
    description:
      'What the buyer accepted before paying: `termsSha256` and `privacySha256`, versions of the texts, and `age`, the least that he said to be. Kept with the claim.',
  }),
  (value: unknown): Acceptance => {
    const { termsSha256, privacySha256, age } = (value ?? {}) as Record<string, unknown>
    return {
      ...(isHash(termsSha256) && { termsSha256 }),
      ...(isHash(privacySha256) && { privacySha256 }),
      ...(isAge(age) && { age }),
    }
  },
)
const isHash = (value: unknown): value is Hash => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)
const isAge = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= youngestAge && (value as number) <= oldestAge

/** Only the hash matters; the other fields are optional hints, and unknown fields are ignored. */
export const purchaseBody = t.Object({
  transactionHash: hashIn,
  walletAddress: t.Optional(walletHint),
  quantity: hint(10_000_000, 'INVALID_QUANTITY'),
  amount: hint(1_000_000_000_000, 'INVALID_AMOUNT'),
  accepted: t.Optional(acceptance),
})
export const hashInPath = t.Object({ hash: hashIn })
export const walletInPath = t.Object({ address: wallet })
export const manualBody = exact({ transactionHash: hashIn })
export const paymentQuery = t.Object({
  cursor,
  event: digits(9),
  status: oneOf(['credited', 'rejected']),
  reason: oneOf(paymentReasons),
  wallet: optional(wallet),
  hash: optional(hashIn),
})

export const purchase = answer({
  id: number(),
  ticketNumber: number('First of its tickets.'),
  ticketCount: number(),
  transactionHash: hash,
  walletAddress: address,
  createdAt: moment("Time of the payment's block."),
  amount: cents,
})
export const recent = t.Array(purchase, { description: 'The newest 50, newest first.' })
export const receipt = answer({
  transactionHash: hash,
  status,
  isCountryClosed: t.Optional(
    t.Literal(true, {
      description: 'The page does not sell where this came from. What is paid counts all the same.',
    }),
  ),
})

const payment = {
  status,
  reason,
  ticketNumber: orNull(number('First of its tickets, once given out.')),
  ticketCount: number(),
  amount: cents,
  refund: orNull(
    answer({
      amount: number('Hundredths of this payment that have come back.'),
      due: number('Hundredths of it that are still owed.'),
      transactionHash: orNull(hash),
      at: orNull(moment('Time of its block.')),
    }),
  ),
}
export const purchaseReport = answer({
  transactionHash: hash,
  status,
  reason,
  payments: t.Array(answer({ walletAddress: address, ...payment })),
})
export const walletReport = answer({
  walletAddress: address,
  ticketCount: number('In the current event.'),
  payments: t.Array(
    answer({ eventNumber: orNull(number()), transactionHash: hash, ...payment, createdAt: moment() }),
    { description: 'Of every event, newest first.' },
  ),
})

export const manualAnswer = answer({ ticketsCreated: number() })
export const paymentList = t.Array(
  answer({
    id: number(),
    eventNumber: orNull(number()),
    transactionHash: hash,
    walletAddress: address,
    operatorWallet: address,
    status: listed(['credited', 'rejected']),
    reason,
    ticketNumber: orNull(number('First of its tickets.')),
    ticketCount: number(),
    amount: cents,
    isOwn: t.Boolean({
      description: 'An administrator says that it was the operator’s own money: nobody is owed it.',
    }),
    blockNumber: number(),
    createdAt: moment("Time of the payment's block."),
  }),
  { description: 'At most 100, newest first.' },
)
const counts = answer({ waiting: number(), active: number(), delayed: number() })
export const pipeline = answer({
  scan: orNull(
    answer({ height: number(), blockTime: moment(), lagSeconds: number(), updatedSecondsAgo: number() }),
  ),
  claims: answer({ received: number(), confirming: number(), oldestSeconds: orNull(number()) }),
  withoutTicket: t.Record(t.String(), number(), {
    description: 'Payments of the open event that got no ticket, by reason.',
  }),
  openRefunds: number('Payers who are owed something.'),
  worker: orNull(
    answer({
      facts: t.Unsafe<ChainHealth>({ description: 'What the worker tells of its nodes.' }),
      secondsAgo: number(),
    }),
  ),
  waitingSeconds: orNull(number('Since fewer than two nodes answer; null while they do.')),
  queue: orNull(t.Unsafe<Record<QueueName, Static<typeof counts> | undefined>>(t.Record(t.String(), counts))),
})
export const queueList = t.Array(
  answer({
    queue: t.String(),
    waiting: orNull(number()),
    active: orNull(number()),
    delayed: orNull(number()),
    oldestSeconds: orNull(number()),
  }),
)
