import { Elysia } from 'elysia'
import { getAddress } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../../db/index.ts'
import { listRefundHistory, refundPage } from '../../db/refund/dues.ts'
import { holdPayer, noteReport, releasePayer, reportStolen } from '../../db/refund/facts.ts'
import { lineOf, setRefundNotice } from '../../db/refund/lines.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { execute, mark, noPayer, readPayer, readSummary, toRow } from './desk.ts'
import * as schema from './schema.ts'

const pageSize = 100

/** The refund desk: who is owed what, what is left to be signed, and what administrators decide. */
export const refundRoutes = (deps: Pick<Deps, 'jobs' | 'clock' | 'admin'>, guard: AdminGuard) => {
  const { minUnits } = deps.admin.refunds
  const enqueueWatch = () => void deps.jobs.enqueue('watch-refunds', {})
  type Decide = (tx: Db, payer: `0x${string}`, note: string | null) => Promise<unknown>
  /** A decision on the line of a payer. */
  const decision = (action: 'refund.hold' | 'refund.release', about: string, decide: Decide) =>
    guard.action({
      action,
      ...{ about, params: schema.payerInPath, body: schema.noteBody },
      refusals: ['NOT_FOUND'],
      // To hold a line moves nothing.
      ...(action === 'refund.hold' && { fresh: false }),
      run: async ({ db, params: { payer }, body: { note = null }, record }) => {
        const before = (await lineOf(db, payer, minUnits)) ?? noPayer()
        await decide(db, payer, note)
        const row = toRow((await lineOf(db, payer, minUnits)) ?? before)
        record({ before: { holds: before.holds }, after: { ...row, note } })
        return row
      },
    })

  return new Elysia({ prefix: '/api/admin' })
    .get(
      '/refunds',
      ...guard.read({
        ...{ about: 'Payers and what they are owed', query: schema.pageQuery },
        background: true,
        run: async ({ db, query }) =>
          (await refundPage(db, { ...query, minUnits, limit: pageSize })).map(toRow),
      }),
    )
    .get(
      '/refunds/summary',
      ...guard.read({
        about: 'The refund desk in sums',
        background: true,
        run: ({ db }) => readSummary(db, deps.admin.refunds),
      }),
    )
    .get(
      '/refunds/:payer',
      ...guard.read({
        ...{ about: 'What a line rests on', params: schema.payerInPath },
        refusals: ['NOT_FOUND'],
        run: async ({ db, params: { payer } }) => (await readPayer(db, payer, minUnits)) ?? noPayer(),
      }),
    )
    .post(
      '/raffle/execute-refund',
      ...guard.action({
        action: 'refund.execute',
        about: 'What is left to be signed in a wallet, while the sums are those that the caller has seen',
        ...{ body: schema.executeBody, atomic: false },
        refusals: [
          ...(['SALES_OPEN', 'MIN_REACHED', 'WINNER_EXISTS', 'NOTHING_TO_REFUND', 'NOT_FINAL'] as const),
          ...([
            'NOT_FOUND',
            'REFUND_TOTALS_CHANGED',
            'REFUNDS_PAUSED',
            'HOUSE_SHUT',
            'RPC_UNAVAILABLE',
          ] as const),
        ],
        run: async ({ db, body, record }) => {
          const answer = await execute({ ...deps, db }, body)
          record({ after: { eventNumber: body.eventNumber ?? null, ...answer.summary } })
          return answer
        },
      }),
    )
    .post('/refunds/:payer/hold', ...decision('refund.hold', 'Holds the line of a payer', holdPayer))
    .post(
      '/refunds/:payer/release',
      ...decision('refund.release', 'Lifts the holds of a line', (tx, payer, note) =>
        releasePayer(tx, payer, note, minUnits),
      ),
    )
    .post(
      '/refunds/sent',
      ...guard.action({
        action: 'refund.sent',
        ...{ about: 'Notes what a wallet has sent', body: schema.sentBody },
        fresh: false, // A hint for the screen.
        run: async ({ db, body: { transactionHash, payers = [] }, record }) => {
          await noteReport(db, transactionHash, payers)
          record({ after: { transactionHash, payers: payers.length } })
          enqueueWatch()
          return { transactionHash }
        },
      }),
    )
    .post(
      '/refunds/mark',
      ...guard.action({
        action: 'refund.mark',
        about: 'Says what a transfer was for, or that a payment was the operator’s own; null takes it back',
        ...{ body: schema.markBody, atomic: false },
        refusals: ['TRANSACTION_NOT_FOUND', 'RPC_UNAVAILABLE'],
        run: async ({ db, body, record }) => {
          const payer = await mark({ ...deps, db }, body, record)
          return (await readPayer(db, payer, minUnits)) ?? { row: toRow({ payer }), ...nothing }
        },
      }),
    )
    .post(
      '/wallets/stolen',
      ...guard.action({
        action: 'wallet.stolen',
        about: 'Since when the key of a wallet is stolen: what it was paid then is held, and its sale ends',
        ...{ body: schema.stolenBody, refusals: ['NOT_FOUND'] },
        values: ({ body: { from } }) => {
          if (from > new Date()) throw schema.refused({ reason: 'past', field: 'from' })
        },
        run: async ({ db, body: { wallet, from }, record }) => {
          const stolenFrom = await reportStolen(db, wallet, from)
          if (!stolenFrom) throw new RaffleError('NOT_FOUND', { reason: 'wallet' })
          const after = { wallet: getAddress(wallet), stolenFrom: stolenFrom.toISOString() }
          record({ after })
          return after
        },
      }),
    )
    .get(
      '/refund-history',
      ...guard.read({
        about: 'Events that ended in refunds',
        run: async ({ db }) =>
          (await listRefundHistory(db)).map((one) => ({ ...one, startedAt: one.startedAt.toISOString() })),
      }),
    )
    .post(
      '/raffle/refund-notification',
      ...guard.action({
        action: 'refund-notification',
        about: 'Opens or closes the notice of refunds on the public page',
        ...{ body: schema.noticeBody, refusals: ['SALES_OPEN', 'MIN_REACHED'] },
        run: async ({ db, body: { active = true }, record }) => {
          const before = await setRefundNotice(db, active)
          record({ before: { active: before }, after: { active } })
          return { active }
        },
      }),
    )
}

/** Of who is owed nothing. */
const nothing = { payments: [], transfers: [], decisions: [] }
