import type { Db } from './index.ts'

/**
 * A statement that is built once per pool and planned once per connection instead of at every call. Pass its
 * values as `sql.placeholder`, and prepare it under a name.
 */
export function prepared<S>(prepare: (db: Db) => S): (db: Db) => S {
  const known = new WeakMap<Db, S>()
  return (db) => {
    const found = known.get(db) ?? prepare(db)
    known.set(db, found)
    return found
  }
}
