import { getAddress } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { type RefundKind, type RefundRow, type RefundTotals, refundHolds } from '../../core/refund/rules.ts'
import { poll } from '../../core/server/time.ts'
import { getEvent, getOpenEvent } from '../../db/event/events.ts'
import type { Db } from '../../db/index.ts'
import { writeBatch } from '../../db/refund/batch.ts'
import { countUnchecked } from '../../db/refund/checks.ts'
import { toDeskRow } from '../../db/refund/desk-row.ts'
import { listRefundRows, listUnallocated, totalsOf } from '../../db/refund/list.ts'
import { rowDues } from '../../db/refund/row-dues.ts'
import { type RefundScope, refundFacts } from '../../db/refund/totals.ts'
import { listOwnWallets } from '../../db/refund/wallets.ts'
import { expectWatched } from '../../db/refund/watched.ts'
import type { ActionCall } from '../auth/guard.ts'
import type { Deps, RefundSettings } from '../deps.ts'
import { expectBatchWord } from './batch-word.ts'

const waitMs = 10_000
const lookEveryMs = 100

export type Execution = {
  needsManualExecution: boolean
  /** All open rows; `amount` and `units` are what is still to be sent. */
  refundTransactions: RefundRow[]
  /** Totals of all rows, settled ones included. */
  summary: RefundTotals
}

type Request = {
  expected: { totalTickets: number; totalAmount: number }
  kind: RefundKind
  eventNumber: number | undefined
}

/**
 * Prepares a batch if there is none and returns what is left to sign. Safe to repeat: it returns the same
 * rows. Throws the errors of writeBatch, REFUNDS_PAUSED, and RPC_UNAVAILABLE, with nothing prepared, while no
 * worker watches what the operator wallets send.
 */
export async function executeRefund(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  settings: RefundSettings,
  { expected, kind, eventNumber }: Request,
  second: ActionCall['second'],
): Promise<Execution> {
  if (settings.isPaused) throw paused()
  const scope = { kind, eventNumber: eventNumber ?? (await openEventNumber(db)) }
  await db.transaction(async (tx) => {
    await writeBatch(tx, { ...scope, expected, minUnits: settings.minUnits })
    await expectWatched(tx)
    await expectBatchWord(tx, second, scope)
  })
  await waitForPayers({ db, jobs, clock }, scope)
  const rows = await listRefundRows(db, scope)
  const open = rows.filter(({ row }) => row.state !== 'settled')
  return {
    needsManualExecution: open.length > 0,
    refundTransactions: open.map(({ toSend }) => toSend),
    summary: totalsOf(rows.map(({ row }) => row)),
  }
}

/** Waits until every payer was checked on chain: a contract must not be offered by mistake. */
async function waitForPayers(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  scope: RefundScope,
): Promise<void> {
  let uncheckedPayers = 0
  const areChecked = async () => {
    uncheckedPayers = await countUnchecked(db, scope)
    if (uncheckedPayers === 0) return true
    void jobs.enqueue(
      'prepare-refunds',
      {},
      { jobId: `prepare-refunds-call-${Math.floor(Date.now() / 1000)}` },
    )
    return undefined
  }
  if (!(await poll(areChecked, { withinMs: waitMs, everyMs: lookEveryMs }, clock)))
    throw new RaffleError(
      'RPC_UNAVAILABLE',
      '받는 주소를 아직 확인하지 못했습니다. 잠시 후 다시 시도하세요.',
      {
        reason: { uncheckedPayers, ...scope },
      },
    )
}

/** Everything the screen shows: what a batch would hold, its rows, and transfers without a row. */
export async function readDesk(
  db: Db,
  settings: RefundSettings,
  asked: { eventNumber: number | undefined; kind: RefundKind | undefined },
) {
  const eventNumber = asked.eventNumber ?? (await openEventNumber(db))
  const event = await getEvent(db, eventNumber)
  if (!event) throw new RaffleError('NOT_FOUND', '해당 이벤트가 없습니다.')
  const kinds = asked.kind ? [asked.kind] : (['event', 'leftover'] as const)
  const lists = await Promise.all(kinds.map((kind) => listRefundRows(db, { kind, eventNumber })))
  const rows = lists.flatMap((list, index) =>
    list.map(({ stored, isUnread, toSend }) =>
      toDeskRow(stored, kinds[index] as RefundKind, { due: BigInt(toSend.units), isUnread }),
    ),
  )
  const dues = await rowDues(db, eventNumber)
  const of = (wanted: (row: (typeof rows)[number]) => boolean) => totalsOf(rows.filter(wanted))
  const isHeld = ({ reason }: RefundRow) => refundHolds.some((hold) => hold === reason)
  return {
    summary: {
      ...totalsOf(rows),
      eventNumber,
      isRefundMode: event.refundModeAt !== null,
      isPaused: settings.isPaused,
      isWatching: await expectWatched(db).then(
        () => true,
        () => false,
      ),
      /** What `refundInfo` has to contain, prepared or not. */
      event: await refundFacts(db, { kind: 'event', eventNumber }),
      leftover: await refundFacts(db, { kind: 'leftover', eventNumber }),
      done: of((row) => row.state === 'settled'),
      underWay: of((row) => row.state === 'offered' || row.state === 'sent'),
      held: of((row) => row.state !== 'settled' && isHeld(row)),
      operatorWallet: event.operatorWallet && getAddress(event.operatorWallet),
      wallets: await listOwnWallets(db, dues),
      token: getAddress(event.token),
      chainId: event.chainId,
      unallocated: await listUnallocated(db),
    },
    rows: rows.map((row) => ({
      ...row,
      dueBy: (dues.get(row.id) ?? []).map(({ wallet, units, isLeft }) => ({
        ...{ wallet: getAddress(wallet), units: `${units}`, isLeft },
      })),
    })),
  }
}

export async function openEventNumber(db: Db): Promise<number> {
  const event = await getOpenEvent(db)
  if (!event) throw new RaffleError('NOT_FOUND', '진행 중인 이벤트가 없습니다.')
  return event.number
}

export const paused = () =>
  new RaffleError('REFUNDS_PAUSED', '환불이 일시 중지되었습니다. 운영 설정(REFUNDS_PAUSED)을 확인해주세요.', {
    reason: { REFUNDS_PAUSED: true },
  })
