import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Hash } from 'viem'
import { addressKeys } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { type Acceptance, oldestAge, youngestAge } from '../../core/house/rules.ts'
import { jobId, queueNames } from '../../core/jobs.ts'
import type { PurchaseReceipt } from '../../core/live/public.ts'
import { paymentReasons } from '../../core/payment/payment.ts'
import { poll } from '../../core/server/time.ts'
import { expectOpenHouse } from '../../db/event/shut.ts'
import type { Db } from '../../db/index.ts'
import { retryOnConflict } from '../../db/index.ts'
import { beginManual, claimPayment, readManual } from '../../db/payment/claims.ts'
import { getFrozenLedger, ledgerPages, listPayments } from '../../db/payment/ledger.ts'
import { listWalletPayments, noteAcceptance, reportPurchase } from '../../db/payment/purchases.ts'
import { readPipeline } from '../../db/report/health.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { clientAddress, isClosedFor, visitorCountries } from '../http/client-address.ts'
import { frozenFiles } from '../http/frozen-files.ts'
import { sent } from '../http/ready.ts'
import { notModified, route } from '../http/route.ts'
import { exact, optional, read, refusal } from '../http/schema.ts'
import { cursor, digits, eventInPath, hash as hashIn, oneOf, wallet, walletHint } from '../http/values.ts'

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
const paymentQuery = t.Object({
  cursor,
  event: digits(9),
  status: oneOf(['credited', 'rejected']),
  reason: oneOf(paymentReasons),
  wallet: optional(wallet),
  hash: optional(hashIn),
})

/** Reports of payments. The claim is committed before the job is added, so a queue that is down costs nothing. */
export const ticketRoutes = ({ db, jobs, addresses, state }: Deps) => {
  const addressOf = clientAddress(addresses)
  const countriesOf = visitorCountries(addresses)
  return new Elysia({ prefix: '/api/tickets' })
    .post(
      ...route('/purchase', {
        about: 'Reports the hash of a payment',
        more: 'A hint to look at the chain: only facts on chain give out tickets, to the sender of the transfer. Any number of repeats has the same answer.',
        body: purchaseBody,
        also: { 202: 'Taken, it will be verified.' },
        refusals: ['TOO_MANY_UNVERIFIED', 'HOUSE_SHUT'],
        run: async ({ body, request, server }) => {
          if (state.snapshot()?.config.salesPaused) await expectOpenHouse(db)
          const { transactionHash: hash, walletAddress = null, quantity = null, amount = null } = body
          const peer = server?.requestIP(request)?.address
          const address = addressOf(request, peer)
          const keys = addressKeys(address)
          const hint = { transactionHash: hash, walletAddress, quantity, amount, keys }
          const { claim, isNew } = await retryOnConflict(() => claimPayment(db, hint))
          if (claim.isDue)
            void jobs.enqueue('verify-payment', { hashes: [hash] }, { jobId: jobId.verifyPayment(hash) })
          if (body.accepted) await noteAcceptance(db, hash, body.accepted)
          // Said and not refused: a hash that was paid must not be lost, wherever it was paid.
          const isClosed = isClosedFor(countriesOf(request, peer), state.snapshot()?.rules.closedCountries)
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

/** The canonical file of a frozen ledger: its SHA-256 is the published fingerprint. */
export const ledgerRoutes = (deps: Pick<Deps, 'db' | 'admin' | 'addresses' | 'log'>) => {
  const { db } = deps
  const answer = frozenFiles(deps)
  return new Elysia().get(
    ...route('/api/raffle/ledger/:eventNumber', {
      about: 'The canonical ledger file',
      more: 'Its SHA-256 is the published fingerprint. Anyone can rebuild it from the chain, byte for byte. 409 before the freeze.',
      params: eventInPath,
      file: { type: 'text/csv', about: 'One line a payment, in chain order.' },
      also: notModified,
      refusals: ['SALES_OPEN'],
      run: async ({ params: { eventNumber }, request, server }) => {
        const ledger = await getFrozenLedger(db, eventNumber)
        if (!ledger) throw new RaffleError('NOT_FOUND', { reason: 'event' })
        if (!ledger.frozenAt || !ledger.sha256) throw new RaffleError('SALES_OPEN', { reason: 'ledger' })
        return answer(
          { request, server },
          {
            name: `blockdraw-ledger-${eventNumber}.csv`,
            sha256: ledger.sha256,
            pages: () => ledgerPages(db, eventNumber),
          },
        )
      },
    }),
  )
}

/** As on the dashboard: a worker silent for this long counts as down. */
const silentAfterSeconds = 30

/** Payments, the state of the pipeline and of the queues, and a hash that an administrator enters. The queues
 * are only looked at: open work is in the database, and the sweeper adds its jobs again. */
export const paymentRoutes = (
  { jobs, clock, admin }: Pick<Deps, 'jobs' | 'clock' | 'admin'>,
  guard: AdminGuard,
) =>
  new Elysia({ prefix: '/api/admin' })
    .post(
      ...guard.action('/blockchain/process-transaction', {
        action: 'process-transaction',
        about: 'Takes in a payment that nobody has reported, and waits for its tickets',
        body: exact({ transactionHash: hashIn }),
        refusals: [
          'ALREADY_PROCESSED',
          'TX_PENDING',
          'TRANSACTION_NOT_FOUND',
          'OUTSIDE_SALE_WINDOW',
          'TX_FAILED',
          'NO_MATCHING_TRANSFER',
          'BELOW_TICKET_PRICE',
          'RPC_UNAVAILABLE',
        ],
        fresh: false, // The chain says what it is worth, and to whom.
        atomic: false,
        run: async ({ db, body: { transactionHash: hash }, record }) => {
          record({ after: { transactionHash: hash } })
          await beginManual(db, hash)
          await jobs.enqueue('ingest-manual', { hash }, { jobId: jobId.ingestManual(hash) })
          const answer = await poll(() => readManual(db, hash), { withinMs: 10_000, everyMs: 150 }, clock)
          if (!answer) throw await whyPending(db, admin.refunds.minUnits)
          record({ after: { transactionHash: hash, ...answer } })
          return answer
        },
      }),
    )
    .get(
      ...guard.read('/payments', {
        about: 'Payments, credited or not',
        query: paymentQuery,
        run: ({ db, query: { event, wallet, hash, ...rest } }) =>
          listPayments(db, { ...rest, eventNumber: event, payer: wallet, transactionHash: hash }),
      }),
    )
    .get(
      ...guard.read('/pipeline', {
        about: 'Where payments stand on their way to their tickets',
        background: true,
        run: async ({ db }) => ({
          ...(await readPipeline(db, admin.refunds.minUnits)),
          queue: (await jobs.counts?.()) ?? null,
        }),
      }),
    )
    .get(
      ...guard.read('/queues', {
        about: 'What waits in each queue',
        background: true,
        run: async () => {
          const [counts, ages] = await Promise.all([jobs.counts?.(), jobs.ages?.()])
          return queueNames.map((queue) => ({
            ...{ queue, waiting: null, active: null, delayed: null, ...counts?.[queue] },
            oldestSeconds: ages?.[queue] ?? null,
          }))
        },
      }),
    )

/** The error after a timeout: the transaction is not final yet, or no worker can reach the chain. */
async function whyPending(db: Db, minUnits: bigint): Promise<RaffleError> {
  const { worker } = await readPipeline(db, minUnits)
  const { endpoints = [] } = (worker?.facts ?? {}) as { endpoints?: { state: string }[] }
  const isHeard = worker !== null && worker.secondsAgo <= silentAfterSeconds
  return isHeard && endpoints.some(({ state }) => state === 'ok')
    ? new RaffleError('TX_PENDING')
    : new RaffleError('RPC_UNAVAILABLE', { reason: 'transaction' })
}
