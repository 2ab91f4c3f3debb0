import { sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash } from 'viem'
import { addProgress, noProgress, type Progress, progressOf } from '../../core/refund/progress.ts'
import type { Db } from '../index.ts'
import { refundBatches, refundRows } from '../schema/index.ts'
import { booksOf, type PayerBooks } from './payers.ts'

/** What one wallet of ours owes one payer in one token, by all batches of an event. */
export type BookLine = Progress & {
  payer: Address
  wallet: Address
  token: Address
  /** How `paid` reached the payer: by this wallet through the register, or in any other way. */
  register: bigint
  outside: bigint
  /** Every refund that reached the payer in this token. */
  hashes: Hash[]
}

/** The books of an event, in the order of the payers' addresses, handed on in pages. */
export async function eachBookLine(
  db: Db,
  { eventNumber, limit = 500 }: { eventNumber: number; limit?: number },
  take: (lines: readonly BookLine[]) => Promise<void>,
): Promise<void> {
  for (let last = ''; ; ) {
    const rows = await db.execute<{ payer: Address }>(sql`
      select distinct r.payer from ${refundRows} r join ${refundBatches} b on b.id = r.batch_id
      where b.event_number = ${eventNumber} and r.payer > ${last} order by r.payer limit ${limit}`)
    const payers = rows.map(({ payer }) => payer)
    const books = await booksOf(db, eventNumber, payers)
    await take(payers.flatMap((payer) => linesOf(payer, books)))
    if (payers.length < limit) return
    last = payers.at(-1) as Address
  }
}

function linesOf(payer: Address, { rows, refunds }: PayerBooks): BookLine[] {
  const own = rows.get(payer) ?? []
  const paid = own.flatMap(({ row }) => refunds.get(row.id) ?? [])
  const lines = new Map<string, BookLine>()
  for (const { row, account } of own)
    for (const { wallet, token, owed, outside, due } of account?.parts ?? []) {
      const key = `${wallet} ${token}`
      const known = lines.get(key)
      const sum = addProgress(known ?? noProgress, progressOf({ ...row, units: owed, due }))
      const past = (known?.outside ?? 0n) + outside
      lines.set(key, {
        ...{ payer: getAddress(payer), wallet: getAddress(wallet), token: getAddress(token) },
        ...{ ...sum, outside: past, register: sum.paid - past },
        hashes: [...new Set(paid.filter((one) => one.token === token).map((one) => one.transactionHash))],
      })
    }
  return [...lines.values()]
}
