import { type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { Db } from '../index.ts'
import {
  events,
  flowBreaks,
  operatorTransfers,
  operatorWallets,
  payments,
  refundBacklogs,
  refundWatch,
  scanCursor,
  solvency,
  walletOpenings,
  walletReceipts,
} from '../schema/index.ts'

/** The newest final block that both scan and refund watch have passed, and whether balances are to be asked for there. */
export type ReckonPlace = {
  eventNumber: number
  token: Address
  height: bigint
  hash: Hash
  asks: boolean
  /** The last thing that changed among older transfers, and the last payment on record: what is reckoned is true as long as nothing older follows them. */
  breaks: number
  payment: number
}

/** On a quiet chain balances are asked for once a minute; where money moves no more often than this, so that sales stay cheap. */
const everySeconds = 60
const soonestSeconds = 5
/** In SQL, of a row of `solvency`: as long as nobody tells them they are asked for less and less often, however much hangs on it. */
const mayAsk = (of: SQL): SQL => sql`coalesce(${of}.untold = 0
  or abs(extract(epoch from clock_timestamp() - ${of}.asked_at)) >= least(${everySeconds}, ${soonestSeconds} * 2 ^ least(${of}.untold - 1, 9)), true)`

/**
 * Undefined while there is nothing to reckon: no block that was not reckoned, or no money moved in it and a minute has not
 * passed. Balances are asked for at once where one did not agree, or a wallet has no opening.
 */
export async function reckonPlace(db: Db): Promise<ReckonPlace | undefined> {
  const [row] = await db.execute<{
    number: number
    token: Address
    height: string
    hash: Hash
    isNew: boolean
    isOld: boolean
    moved: boolean
    isRecent: boolean
    isOpen: boolean
    mayAsk: boolean
    breaks: number
    payment: number
  }>(sql`
    with place as (
      select e.number, e.token, least(s.height, w.height) as height,
        case when s.height <= w.height then s.hash else w.hash end as hash, r.height as reckoned, r.asked_at, r.reckoned_at,
        s.block_time, ${mayAsk(sql`r`)} as may_ask
      from ${events} e cross join ${scanCursor} s cross join ${refundWatch} w
      left join ${solvency} r on r.event_number = e.number where e.archived_at is null)
    select number, token, height::text as height, hash, reckoned is null or height > reckoned as "isNew",
      coalesce(abs(extract(epoch from clock_timestamp() - asked_at)) >= ${everySeconds}, true) as "isOld",
      coalesce(abs(extract(epoch from clock_timestamp() - asked_at)) < ${soonestSeconds}, false) as "isRecent",
      exists (select from ${payments} where block_number > reckoned and block_number <= p.height)
        or exists (select from ${operatorTransfers} where block_number > reckoned and block_number <= p.height)
        or exists (select from ${walletReceipts} where block_number > reckoned and block_number <= p.height)
        or exists (select from ${flowBreaks} b where b.at > reckoned_at - interval '5 seconds') as moved,
      exists (select from ${walletOpenings} o where o.closed_at is null and o.token = p.token
        and o.difference <> 0 and o.difference is distinct from o.broken_by)
      or exists (select from ${operatorWallets} w join ${refundBacklogs} b on b.wallet = w.address and b.token = p.token
        where w.since <= p.block_time and (b.unread_to is null or b.unread_to <= p.height)
          and not exists (select from ${walletOpenings} o
            where o.wallet = w.address and o.token = p.token and o.closed_at is null)) as "isOpen",
      may_ask as "mayAsk", ${lastBreak}::int as breaks,
      (select coalesce(max(id), 0) from ${payments})::int as payment
    from place p`)
  if (!row?.isNew) return undefined
  const asks = row.mayAsk && (row.isOld || row.isOpen || (row.moved && !row.isRecent))
  if (!asks && !row.moved) return undefined
  const { number: eventNumber, token, height, hash, breaks, payment } = row
  return { eventNumber, token, height: BigInt(height), hash, asks, breaks, payment }
}

/**
 * Whether scan and watch still stand behind the block, on the same chain, and nothing changed among older transfers since the place
 * was taken. The caller stores what was reckoned in this transaction.
 */
export async function isStillThere(tx: Db, { height, hash, breaks, payment }: ReckonPlace): Promise<boolean> {
  const [row] = await tx.execute<{ isThere: boolean }>(sql`
    select coalesce(bool_and(c.height > ${`${height}`}::bigint or (c.height = ${`${height}`}::bigint and c.hash = ${hash}))
      and count(*) = 2, false) and ${lastBreak} = ${breaks}
      and not exists (select from ${payments} where id > ${payment} and block_number <= ${`${height}`}::bigint) as "isThere"
    from (select height, hash from ${scanCursor} union all select height, hash from ${refundWatch}) c`)
  return row?.isThere ?? false
}

const lastBreak = sql`(select coalesce(max(${flowBreaks.id}), 0) from ${flowBreaks})`

/**
 * A balance was told that the transfers do not explain: the next final block says whether something was missed. While nobody
 * tells balances that is no hurry.
 */
export async function isDoubtful(db: Db): Promise<boolean> {
  const rows = await db
    .select({ id: walletOpenings.id })
    .from(walletOpenings)
    .where(
      sql`${walletOpenings.closedAt} is null and ${walletOpenings.difference} <> 0 and ${walletOpenings.difference} is distinct from ${walletOpenings.brokenBy}
        and not exists (select from ${solvency} r join ${events} e on e.number = r.event_number
          where e.archived_at is null and not ${mayAsk(sql`r`)})`,
    )
    .limit(1)
  return rows.length > 0
}
