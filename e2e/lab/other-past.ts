import type { Db } from '../../db/index.ts'

/** Runs statements as if the event had always been so, such as a sale that began an hour ago: no trigger lists or refuses them. */
export const withOtherPast = <T>(db: Db, act: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica')
    const done = await act(tx)
    await tx.execute('delete from terms_versions')
    await tx.execute(`insert into terms_versions
      select number, sale_start, terms_line(e), to_jsonb(e) from events e`)
    return done
  })

/** As if its terms had always been as they are: what is paid from the sale start on is judged by them. */
export const asIfAlways = (db: Db): Promise<void> => withOtherPast(db, async () => undefined)
