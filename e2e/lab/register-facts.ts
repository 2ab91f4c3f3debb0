import { sql } from 'drizzle-orm'
import { type Address, keccak256, toHex } from 'viem'
import { unitsOf } from '../../core/money.ts'
import type { Db } from '../../db/index.ts'

type Entry = { wallet: Address; token: Address; debtor: Address; payee?: Address; cents: number }

/** Final logs of the register as the watch records them: what it remembers rises by `cents`. */
export async function noteEntry(db: Db, kind: 'paid' | 'waived', entry: Entry): Promise<void> {
  const { wallet, token, debtor, cents } = entry
  const payee = kind === 'paid' ? (entry.payee ?? debtor) : null
  const [before] = await db.execute<{ count: number; total: string }>(sql`
    select count(*)::int as count, coalesce(max(total) filter (where wallet = ${wallet} and token = ${token}
      and debtor = ${debtor}), 0)::text as total from register_entries`)
  const units = unitsOf(cents)
  const hash = keccak256(toHex(`entry ${before?.count}`))
  const block = 1_000 + (before?.count ?? 0)
  await db.execute(sql`
    insert into register_entries (transaction_hash, log_position, kind, wallet, token, debtor, payee, units, total,
      block_number, block_hash, block_time)
    values (${hash}, 0, ${kind}, ${wallet}, ${token}, ${debtor}, ${payee}, ${units.toString()},
      ${(BigInt(before?.total ?? 0) + units).toString()}, ${block}, ${hash}, now())`)
  if (payee)
    await db.execute(sql`
      insert into operator_transfers (transaction_hash, log_position, token, wallet, recipient, units, debtor,
        block_number, block_hash, block_time)
      values (${hash}, 0, ${token}, ${wallet}, ${payee}, ${units.toString()}, ${debtor}, ${block}, ${hash}, now())`)
}
