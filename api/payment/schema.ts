import { Type as t } from '@sinclair/typebox'
import type { Hash } from 'viem'
import { type Acceptance, oldestAge, youngestAge } from '../../core/house/rules.ts'
import { paymentReasons } from '../../core/payment/payment.ts'
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
