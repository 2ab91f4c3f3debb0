import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Hash } from 'viem'
import { addressKeys } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { type Acceptance, oldestAge, youngestAge } from '../../core/house/rules.ts'
import { jobId } from '../../core/jobs.ts'
import type { PurchaseReceipt } from '../../core/live/public.ts'
import { expectOpenHouse } from '../../db/event/shut.ts'
import { retryOnConflict } from '../../db/index.ts'
import { claimPayment } from '../../db/payment/claims.ts'
import { listWalletPayments, noteAcceptance, reportPurchase } from '../../db/payment/purchases.ts'
import type { Deps } from '../deps.ts'
import { isClosedFor, visitors } from '../http/client-address.ts'
import { sent } from '../http/ready.ts'
import { route } from '../http/route.ts'
import { read, refusal } from '../http/schema.ts'
import { hash as hashIn, wallet, walletHint } from '../http/values.ts'

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
const purchaseBody = t.Object({
  transactionHash: hashIn,
  walletAddress: t.Optional(walletHint),
  quantity: hint(10_000_000, 'INVALID_QUANTITY'),
  amount: hint(1_000_000_000_000, 'INVALID_AMOUNT'),
  accepted: t.Optional(acceptance),
})
/** Reports of payments. The claim is committed before the job is added, so a queue that is down costs nothing. */
export const ticketRoutes = ({ db, jobs, addresses, state }: Deps) => {
  const { addressOf, countriesOf } = visitors(addresses)
  return new Elysia({ prefix: '/api/tickets' })
    .post(
      ...route('/purchase', {
        about: 'Reports the hash of a payment',
        more: 'A hint to look at the chain: only facts on chain give out tickets, to the sender of the transfer. Any number of repeats has the same answer.',
        body: purchaseBody,
        also: { 202: 'Taken, it will be verified.' },
        refusals: ['TOO_MANY_UNVERIFIED', 'HOUSE_SHUT'],
        run: async ({ body, ...call }) => {
          if (state.snapshot()?.config.salesPaused) await expectOpenHouse(db)
          const { transactionHash: hash, walletAddress = null, quantity = null, amount = null } = body
          const keys = addressKeys(addressOf(call))
          const hint = { transactionHash: hash, walletAddress, quantity, amount, keys }
          const { claim, isNew } = await retryOnConflict(() => claimPayment(db, hint))
          if (claim.isDue)
            void jobs.enqueue('verify-payment', { hashes: [hash] }, { jobId: jobId.verifyPayment(hash) })
          if (body.accepted) await noteAcceptance(db, hash, body.accepted)
          // Said and not refused: a hash that was paid must not be lost, wherever it was paid.
          const isClosed = isClosedFor(countriesOf(call), state.snapshot()?.rules.closedCountries)
          const answer: PurchaseReceipt = {
            ...{ transactionHash: hash, status: claim.status },
            ...(isClosed && { isCountryClosed: true }),
          }
          return isNew ? sent(answer, { status: 202 }) : answer
        },
      }),
    )
    .get(
      ...route('/purchase/:hash', {
        about: 'What became of a reported payment',
        params: t.Object({ hash: hashIn }),
        refusals: ['NOT_FOUND'],
        run: async ({ params: { hash } }) => {
          const report = await retryOnConflict(() => reportPurchase(db, hash))
          if (!report) throw new RaffleError('NOT_FOUND', { reason: 'transaction' })
          return report
        },
      }),
    )
    .get(
      ...route('/wallet/:address', {
        about: 'Payments of a wallet, and its tickets in the current event',
        params: t.Object({ address: wallet }),
        run: ({ params: { address } }) => retryOnConflict(() => listWalletPayments(db, address)),
      }),
    )
}
