import { eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import {
  operatorTransfers,
  operatorWallets,
  payments,
  refundRowPayments,
  refundRows,
  registerEntries,
} from '../schema/index.ts'
import { lockRefunds } from './accounts.ts'
import { notOurs, toOwnWallet } from './own-wallet.ts'
import { reconcile } from './reconcile.ts'
import { unheardWallets } from './unheard.ts'

/**
 * Takes back the word that the key of a wallet is lost: it may pay again, and what others have taken over from it on that
 * word, and not paid, is its own again. Safe to repeat. Throws NOT_FOUND, and ALREADY_PROCESSED once another wallet has
 * paid or was handed any of it: then the wallet would owe what is paid. Throws TX_PENDING while a restored database does not
 * know that.
 */
export async function findWallet(tx: Db, wallet: Address) {
  await lockRefunds(tx)
  const [before] = await tx.select().from(operatorWallets).where(eq(operatorWallets.address, wallet))
  if (!before) throw notOurs()
  if (await isReliedOn(tx, before))
    throw new RaffleError(
      'ALREADY_PROCESSED',
      '다른 지갑이 이 지갑의 환불을 이미 지급했거나 넘겨받아 진행 중이라 되돌릴 수 없습니다.',
    )
  const others = [...(await unheardWallets(tx))].filter((other) => other !== wallet)
  if (before.lostAt && others.length > 0)
    throw new RaffleError(
      'TX_PENDING',
      '백업에서 되살린 데이터베이스라 다른 지갑이 이 지갑의 환불을 넘겨받았는지 알지 못합니다. 그 지갑들의 제한이 풀린 뒤 다시 시도하세요.',
    )
  const returned = await tx.execute<{ payer: Address }>(sql`
    update ${refundRowPayments} l set paid_by = null from ${refundRows} r
    where r.id = l.row_id and l.is_live and ${isTakenOver(wallet)} returning r.payer`)
  const [after] = await tx
    .update(operatorWallets)
    .set({ lostAt: null })
    .where(eq(operatorWallets.address, wallet))
    .returning()
  await reconcile(tx, [...new Set(returned.map(({ payer }) => payer))])
  return { before: toOwnWallet(before), after: toOwnWallet(after as typeof before) }
}

/**
 * A link `l` of a row `r` whose debt another wallet has taken over on the word alone: what the wallet has waived stays
 * with the other one, whatever is said of its key.
 */
const isTakenOver = (wallet: Address): SQL => sql`l.paid_by <> ${wallet}
  and exists (select 1 from ${payments} p where p.id = l.payment_id and p.wallet = ${wallet})
  and not exists (
    select 1 from ${registerEntries} e
    where e.wallet = ${wallet} and e.debtor = r.payer and e.kind = 'waived' and not e.is_gone)`

async function isReliedOn(
  tx: Db,
  { address: wallet, lostAt }: typeof operatorWallets.$inferSelect,
): Promise<boolean> {
  if (!lostAt) return false
  const [found] = await tx.execute(sql`
    select 1 from ${refundRowPayments} l join ${refundRows} r on r.id = l.row_id
    where l.is_live and ${isTakenOver(wallet)} and (
      (r.offered_at is not null and r.offered_wallet is distinct from ${wallet})
      or exists (
        select 1 from ${operatorTransfers} t
        where t.wallet = l.paid_by and not t.is_gone and t.block_time >= ${lostAt.toISOString()}::timestamptz
          and (t.row_id = r.id or t.debtor = r.payer or t.recipient in (r.payer, r.recipient)))
    ) limit 1`)
  return found !== undefined
}
