import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import { refundWatch } from '../schema/index.ts'
import { unreadPairs } from './backlog.ts'

/** Maximum age of the last complete read of the final chain. */
const freshSeconds = 60

/** Nonces of the operator wallets in the final chain; throws RPC_UNAVAILABLE if no worker has read them recently, or
 * while what a new wallet, or one in a new token, may have paid back before is being read. */
export async function expectWatched(db: Db): Promise<Record<Address, number>> {
  const [watch] = await db
    .select({
      nonces: refundWatch.nonces,
      checkedAt: refundWatch.checkedAt,
      isFresh: sql<boolean>`${refundWatch.checkedAt} > clock_timestamp() - ${`${freshSeconds} seconds`}::interval`,
    })
    .from(refundWatch)
  const unread = await unreadPairs(db)
  if (watch?.isFresh && unread.length === 0) return watch.nonces
  throw new RaffleError(
    'RPC_UNAVAILABLE',
    '블록체인에서 보낸 내역을 확인할 수 없어 환불을 진행할 수 없습니다. 잠시 후 다시 시도하세요.',
    { reason: { checkedAt: watch?.checkedAt ?? null, unread } },
  )
}
