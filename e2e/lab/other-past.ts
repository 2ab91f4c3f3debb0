import type { Db } from '../../db/index.ts'

/**
 * Runs statements as if the event had always been so: no trigger lists or refuses them. For stories that need another
 * past, such as a sale that began an hour ago.
 */
export const withOtherPast = <T>(db: Db, act: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica')
    return act(tx)
  })
