import { sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { TransferMark } from '../../core/refund/rules.ts'
import { poll } from '../../core/server/time.ts'
import type { Db } from '../../db/index.ts'
import { markOwn, markTransfer } from '../../db/refund/facts.ts'
import type { AdminCall } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { isWatching, unread } from './desk.ts'
import { refused } from './schema.ts'

type Asked = {
  transactionHash: Hash
  payer?: Address | undefined
  wallet?: Address | undefined
  markedAs: TransferMark | 'own' | null
  eventNumber?: number | undefined
  place?: number | undefined
}
/** A transfer of `wallet` to `payer`, or his payment to it. */
type Found = {
  kind: 'transfer' | 'payment'
  payer: Address
  wallet: Address
  markedAs: Asked['markedAs']
  isRead: boolean
}

/**
 * Marks a transfer, or a payment as the operator's own, and answers whose it is. A transfer that nobody has read has 10 s to be
 * read by a worker, which looks for what is marked; else its mark is taken back.
 */
export async function mark(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  asked: Asked,
  record: AdminCall['record'],
): Promise<Address> {
  const found = await find(db, asked)
  const { payer, wallet } = found ?? asked
  const kind = found?.kind ?? 'transfer'
  // Of a wallet that is not ours both have to be named.
  if (!payer || !wallet || (!found && (asked.markedAs === null || asked.markedAs === 'own')))
    throw noTransfer()
  const after = { ...asked, payer, wallet }
  record({ before: { markedAs: found?.markedAs ?? null }, after })
  await db.transaction((tx) => save(tx, { ...after, kind }))
  if (found) return payer

  void jobs.enqueue('watch-refunds', {}, { jobId: `watch-refunds-mark-${asked.transactionHash}` })
  const look = async () => ((await find(db, asked))?.isRead ? true : undefined)
  const isRead = await poll(look, { withinMs: 10_000, everyMs: 150 }, clock)
  await db.transaction((tx) => save(tx, { ...after, kind, ...(!isRead && { markedAs: null }) }))
  if (isRead) return payer
  if (await isWatching(db)) throw noTransfer()
  throw unread({ transactionHash: asked.transactionHash })
}

type Saved = Asked & Pick<Found, 'kind' | 'payer' | 'wallet'>

async function save(tx: Db, { kind, transactionHash, payer, wallet, markedAs, ...prize }: Saved) {
  if (kind === 'payment') {
    if (!(await markOwn(tx, { transactionHash, payer, wallet }, markedAs === 'own'))) throw noTransfer()
    return
  }
  const as = markedAs === 'own' ? null : markedAs
  const { eventNumber = null, place = null } = as === 'prize' ? prize : {}
  const transfer = { transactionHash, wallet, recipient: payer }
  await markTransfer(tx, { ...transfer, markedAs: as, eventNumber, place })
}

/** The one that fits the hash, on record or marked; undefined where none does. Throws INVALID_VALUE where several do. */
async function find(db: Db, { transactionHash, payer, wallet, markedAs }: Asked): Promise<Found | undefined> {
  const rows = await db.execute<Found>(sql`
    select * from (
      select 'transfer' as kind, recipient as payer, wallet, m.marked_as as "markedAs", t.units is not null as "isRead"
      from outgoing_transfers t full join transfer_marks m using (transaction_hash, wallet, recipient)
      where transaction_hash = ${transactionHash}
      union all
      select 'payment', p.payer, p.wallet, case when o.at is not null then 'own' end, true
      from payments p left join own_money o using (transaction_hash, payer, wallet)
      where p.transaction_hash = ${transactionHash} and p.ticket_number is null
    ) found where (${payer ?? null}::text is null or payer = ${payer ?? null})
      and (${wallet ?? null}::text is null or wallet = ${wallet ?? null})`)
  const fitting = rows.filter(({ kind, markedAs: before }) =>
    markedAs === null ? before !== null : (kind === 'payment') === (markedAs === 'own'),
  )
  if (fitting.length > 1) throw refused({ reason: 'transfers', field: 'payer' })
  return fitting[0]
}

const noTransfer = () => new RaffleError('TRANSACTION_NOT_FOUND', { reason: 'transfer' })
