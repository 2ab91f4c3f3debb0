import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import { events, operatorWallets, publicVersion } from '../schema/index.ts'

/** True from a restore, or another book of the first wallet, until somebody compared it with the chain (`bun run admin after-restore`). */
export async function isShut(db: Db): Promise<boolean> {
  const [row] = await db.select({ shutSince: publicVersion.shutSince }).from(publicVersion)
  return row?.shutSince != null
}

/** Throws HOUSE_SHUT after a restore: sale, dates, freeze, draw, endings and refunds could contradict what was promised since the backup. */
export async function expectOpenHouse(db: Db): Promise<void> {
  if (await isShut(db))
    throw new RaffleError(
      'HOUSE_SHUT',
      '이 데이터베이스는 아직 체인과 대조되지 않았습니다. 복원되었거나, 운영자 지갑이 다른 장부에서 쓰였습니다. 서버에서 bun run admin after-restore를 실행해주세요.',
    )
}

/** Ends it; the caller has compared. */
export async function openHouse(tx: Db): Promise<void> {
  await tx.update(publicVersion).set({ shutSince: null, version: sql`${publicVersion.version} + 1` })
}

/** The wallet of event 1 of which nobody knows yet whether it has served another house. */
export async function unreadWallet(db: Db): Promise<Address | undefined> {
  const [row] = await db
    .select({ wallet: operatorWallets.address })
    .from(events)
    .innerJoin(operatorWallets, eq(operatorWallets.address, events.operatorWallet))
    .where(and(eq(events.number, 1), isNull(events.archivedAt), isNull(operatorWallets.booksReadAt)))
  return row?.wallet
}

/** The register was asked once; where it knows the wallet under another book, the house is shut until somebody has typed that it may open. */
export async function noteBooks(db: Db, wallet: Address, knowsOther: boolean): Promise<void> {
  await db.transaction(async (tx) => {
    const read = await tx
      .update(operatorWallets)
      .set({ booksReadAt: sql`now()` })
      .where(and(eq(operatorWallets.address, wallet), isNull(operatorWallets.booksReadAt)))
      .returning({ wallet: operatorWallets.address })
    if (knowsOther && read.length > 0)
      await tx.update(publicVersion).set({
        shutSince: sql`coalesce(${publicVersion.shutSince}, now())`,
        version: sql`${publicVersion.version} + 1`,
      })
  })
}
