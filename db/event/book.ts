import type { Hex } from 'viem'
import type { Db } from '../index.ts'
import { houseBook } from '../schema/index.ts'

/** The book of this raffle in the register; null before event 1 has a wallet. A trigger writes it, once. */
export async function getBook(db: Db): Promise<Hex | null> {
  const [row] = await db.select({ book: houseBook.book }).from(houseBook)
  return row?.book ?? null
}
