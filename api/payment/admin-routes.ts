import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { jobId } from '../../core/jobs.ts'
import { paymentReasons } from '../../core/payment.ts'
import { poll } from '../../core/server/time.ts'
import { listDrawHistory, listRefundHistory } from '../../db/event/history.ts'
import type { Db } from '../../db/index.ts'
import { listPayments, readPipeline } from '../../db/payment/list.ts'
import { beginManual, readManual } from '../../db/payment/manual.ts'
import { setRefundNotice } from '../../db/refund/notice.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { type Fields, onlyFields, toBoolean } from '../http/fields.ts'
import { toHash, toWallet } from '../http/parse.ts'
import { toCursor, toOneOf, toQueryNumber } from '../http/query.ts'

const waitMs = 10_000
const lookEveryMs = 150
/** As the dashboard has it: a worker that says nothing for so long is gone. */
const silentAfterSeconds = 30

/** Payments, how they come in, what became of earlier events. */
export const moneyRoutes = ({ bell }: Pick<Deps, 'bell'>, guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' })
    .post(
      '/blockchain/process-transaction',
      guard.action(
        'process-transaction',
        { body: hashBody, atomic: false },
        async ({ db, body: { hash }, record }) => {
          record({ after: { transactionHash: hash } })
          await beginManual(db, hash)
          await bell.ring('ingest-manual', { hash }, { jobId: jobId.ingestManual(hash) })
          const answer = await poll(() => readManual(db, hash), { withinMs: waitMs, everyMs: lookEveryMs })
          if (!answer) throw await whyPending(db)
          record({ after: { transactionHash: hash, ...answer } })
          return answer
        },
      ),
      { parse: 'none' },
    )
    .get(
      '/payments',
      guard.read(({ db, query }) => {
        const { cursor, event, status, reason, wallet, hash } = query
        return listPayments(db, {
          cursor: toCursor(cursor),
          eventNumber: toQueryNumber(event, 'event'),
          status: toOneOf(status, 'status', ['credited', 'rejected']),
          reason: toOneOf(reason, 'reason', paymentReasons),
          payer: wallet ? toWallet(wallet) : undefined,
          transactionHash: hash ? toHash(hash) : undefined,
        })
      }),
    )
    .get(
      '/pipeline',
      guard.read(
        async ({ db }) => ({ ...(await readPipeline(db)), queue: (await bell.counts?.()) ?? null }),
        { background: true },
      ),
    )
    .get(
      '/raffle/history',
      guard.read(({ db }) => listDrawHistory(db)),
    )
    .get(
      '/refund-history',
      guard.read(({ db }) => listRefundHistory(db)),
    )
    .post(
      '/raffle/refund-notification',
      guard.action(
        'refund-notification',
        { body: noticeBody, bodyOptional: true },
        async ({ db, body: { active }, record }) => {
          const before = await setRefundNotice(db, active)
          record({ before: { active: before }, after: { active } })
          return { active }
        },
      ),
      { parse: 'none' },
    )

/** Time ran out: either the chain has not got so far, or nobody could ask it. */
async function whyPending(db: Db): Promise<RaffleError> {
  const { worker } = await readPipeline(db)
  const { endpoints = [] } = (worker?.facts ?? {}) as { endpoints?: { state: string }[] }
  const isHeard = worker !== null && worker.secondsAgo <= silentAfterSeconds
  return isHeard && endpoints.some(({ state }) => state === 'ok')
    ? new RaffleError('TX_PENDING', '거래가 아직 확정되지 않았습니다. 잠시 후 다시 시도해주세요.')
    : new RaffleError(
        'RPC_UNAVAILABLE',
        '지금은 체인을 확인할 수 없습니다. 거래는 접수되어 연결되는 대로 처리됩니다.',
      )
}

function hashBody(fields: Fields) {
  onlyFields(fields, ['transactionHash'])
  return { hash: toHash(fields.transactionHash) }
}

function noticeBody(fields: Fields) {
  onlyFields(fields, ['active'])
  return { active: fields.active === undefined ? true : toBoolean(fields.active, 'active') }
}
