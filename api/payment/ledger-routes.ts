import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { jobId, queueNames } from '../../core/jobs.ts'
import { paymentReasons } from '../../core/payment/payment.ts'
import { poll } from '../../core/server/time.ts'
import type { Db } from '../../db/index.ts'
import { beginManual, readManual } from '../../db/payment/claims.ts'
import { eachLedgerPage, getFrozenLedger, listPayments } from '../../db/payment/ledger.ts'
import { readPipeline } from '../../db/report/health.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { frozenFiles } from '../http/frozen-files.ts'
import { notModified, route } from '../http/route.ts'
import { exact, optional } from '../http/schema.ts'
import { cursor, digits, eventInPath, hash as hashIn, oneOf, wallet } from '../http/values.ts'

const paymentQuery = t.Object({
  cursor,
  event: digits(9),
  status: oneOf(['credited', 'rejected']),
  reason: oneOf(paymentReasons),
  wallet: optional(wallet),
  hash: optional(hashIn),
})

/** The canonical file of a frozen ledger: its SHA-256 is the published fingerprint. */
export const ledgerRoutes = (deps: Deps) => {
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
      run: async ({ params: { eventNumber }, ...call }) => {
        const ledger = await getFrozenLedger(db, eventNumber)
        if (!ledger) throw new RaffleError('NOT_FOUND', { reason: 'event' })
        if (!ledger.frozenAt || !ledger.sha256) throw new RaffleError('SALES_OPEN', { reason: 'ledger' })
        return answer(call, {
          name: `blockdraw-ledger-${eventNumber}.csv`,
          sha256: ledger.sha256,
          eachPage: (take) => eachLedgerPage(db, eventNumber, take),
        })
      },
    }),
  )
}

/** As on the dashboard: a worker silent for this long counts as down. */
const silentAfterSeconds = 30

/** Payments, the state of the pipeline and of the queues, and a hash that an administrator enters. The queues
 * are only looked at: open work is in the database, and the sweeper adds its jobs again. */
export const paymentRoutes = ({ jobs, clock, admin }: Deps, guard: AdminGuard) =>
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
          const counts = await jobs.counts?.()
          const unknown = { waiting: null, active: null, delayed: null, oldestSeconds: null }
          return queueNames.map((queue) => ({ queue, ...(counts?.[queue] ?? unknown) }))
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
