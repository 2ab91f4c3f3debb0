import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { getAddress } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { refundStates } from '../../core/refund/rules.ts'
import type { Db } from '../../db/index.ts'
import { listRefundHistory, refundPage } from '../../db/refund/dues.ts'
import { holdPayer, noteReport, releasePayer, reportStolen } from '../../db/refund/facts.ts'
import { lineOf, setRefundNotice } from '../../db/refund/lines.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { exact, invalid, optional, read, refuse } from '../http/schema.ts'
import { date, digits, flag, hash as hashIn, oneOf, text, wallet } from '../http/values.ts'
import {
  execute,
  executeBody,
  mark,
  markBody,
  noPayer,
  readPayer,
  readSummary,
  refused,
  toRow,
} from './desk.ts'

/** Requests of the refund desk. None sets an amount or says where money goes. */

/** The start of an address, as far as it was typed. */
const addressStart = optional(
  read(t.String({ maxLength: 42, ...invalid }), (value) => {
    const start = value.trim().toLowerCase()
    return /^0x[0-9a-f]*$/.test(start) ? start : refuse()
  }),
)
const pageQuery = t.Object({
  cursor: optional(wallet),
  event: digits(9),
  state: oneOf([...refundStates, 'dust']),
  search: addressStart,
})
const payerInPath = t.Object({ payer: wallet })
const sentBody = exact({
  transactionHash: hashIn,
  payers: t.Optional(t.Array(wallet, { maxItems: 180, ...invalid })),
})
/** `from` by block time: who names the present says that nothing was paid to the thief yet. */
const stolenBody = exact({ wallet, from: date })
/** On by default. */
const noticeBody = exact({ active: t.Optional(flag()) })

export const refundRoutes = (deps: Deps, guard: AdminGuard) => {
  const { minUnits } = deps.admin.refunds
  const enqueueWatch = () => void deps.jobs.enqueue('watch-refunds', {})
  type Decide = (tx: Db, payer: `0x${string}`, note: string | null) => Promise<unknown>
  const decision = <const Path extends string>(
    action: 'refund.hold' | 'refund.release',
    path: Path,
    about: string,
    decide: Decide,
  ) =>
    guard.action(path, {
      action,
      ...{ about, params: payerInPath, body: exact({ note: t.Optional(text({ max: 500, lines: true })) }) },
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
      ...guard.read('/refunds', {
        ...{ about: 'Payers and what they are owed', query: pageQuery },
        background: true,
        run: async ({ db, query }) => (await refundPage(db, { ...query, minUnits, limit: 100 })).map(toRow),
      }),
    )
    .get(
      ...guard.read('/refunds/summary', {
        about: 'The refund desk in sums',
        background: true,
        run: ({ db }) => readSummary(db, deps.admin.refunds),
      }),
    )
    .get(
      ...guard.read('/refunds/:payer', {
        ...{ about: 'What a line rests on', params: payerInPath },
        refusals: ['NOT_FOUND'],
        run: async ({ db, params: { payer } }) => (await readPayer(db, payer, minUnits)) ?? noPayer(),
      }),
    )
    .post(
      ...guard.action('/raffle/execute-refund', {
        action: 'refund.execute',
        about: 'What is left to be signed in a wallet, while the sums are those that the caller has seen',
        ...{ body: executeBody, atomic: false },
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
    .post(...decision('refund.hold', '/refunds/:payer/hold', 'Holds the line of a payer', holdPayer))
    .post(
      ...decision(
        'refund.release',
        '/refunds/:payer/release',
        'Lifts the holds of a line',
        (tx, payer, note) => releasePayer(tx, payer, note, minUnits),
      ),
    )
    .post(
      ...guard.action('/refunds/sent', {
        action: 'refund.sent',
        ...{ about: 'Notes what a wallet has sent', body: sentBody },
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
      ...guard.action('/refunds/mark', {
        action: 'refund.mark',
        about: 'Says what a transfer was for, or that a payment was the operator’s own; null takes it back',
        ...{ body: markBody, atomic: false },
        refusals: ['TRANSACTION_NOT_FOUND', 'RPC_UNAVAILABLE'],
        run: async ({ db, body, record }) => {
          const payer = await mark({ ...deps, db }, body, record)
          return (await readPayer(db, payer, minUnits)) ?? { row: toRow({ payer }), ...nothing }
        },
      }),
    )
    .post(
      ...guard.action('/wallets/stolen', {
        action: 'wallet.stolen',
        about: 'Since when the key of a wallet is stolen: what it was paid then is held, and its sale ends',
        ...{ body: stolenBody, refusals: ['NOT_FOUND'] },
        values: ({ body: { from } }) => {
          if (from > new Date()) throw refused({ reason: 'past', field: 'from' })
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
      ...guard.read('/refund-history', {
        about: 'Events that ended in refunds',
        run: async ({ db }) =>
          (await listRefundHistory(db)).map((one) => ({ ...one, startedAt: one.startedAt.toISOString() })),
      }),
    )
    .post(
      ...guard.action('/raffle/refund-notification', {
        action: 'refund-notification',
        about: 'Opens or closes the notice of refunds on the public page',
        ...{ body: noticeBody, refusals: ['SALES_OPEN', 'MIN_REACHED'] },
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
