import { and, asc, eq, isNotNull, isNull, ne } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Db } from '../index.ts'
import { prizes } from '../schema/index.ts'

/** A prize that its holder may have to sign for. */
type Holder = { eventNumber: number; place: number; wallet: Address }

/** True of a prize whose holder has not been looked at: by his own key alone he signs, or a contract does for him. */
const isUnseenHolder = and(
  eq(prizes.kind, 'goods'),
  ne(prizes.state, 'delivered'),
  isNotNull(prizes.holderWallet),
  isNull(prizes.holderIsContract),
)

export async function unseenHolders(db: Db): Promise<Holder[]> {
  const rows = await db
    .select()
    .from(prizes)
    .where(isUnseenHolder)
    .orderBy(asc(prizes.eventNumber), asc(prizes.place))
  return rows.map(({ eventNumber, place, holderWallet }) => ({
    ...{ eventNumber, place, wallet: holderWallet as Address },
  }))
}

/** Keeps what a worker saw. A holder whose turn went by meanwhile is nobody's concern any more. */
export async function noteHolder(
  db: Db,
  { eventNumber, place, wallet }: Holder,
  isContract: boolean,
): Promise<void> {
  await db
    .update(prizes)
    .set({ holderIsContract: isContract })
    .where(and(eq(prizes.eventNumber, eventNumber), eq(prizes.place, place), eq(prizes.holderWallet, wallet)))
}
