import type { Db } from '../../db/index.ts'
import type { Deps } from '../../worker/deps.ts'

/** The process died here: like SIGKILL, everything uncommitted is lost. */
export class Killed extends Error {
  override name = 'Killed'
}

/** The process dies at await number `step`: before a question or statement, before a commit, or after it with the reply lost. */
export function killedAt(deps: Deps, step: number): Deps {
  let left = step
  const die = () => {
    if (left-- === 0) throw new Killed()
  }
  const wrap = <T extends object>(target: T, around: (name: string, call: () => unknown) => unknown): T =>
    new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name)
        return typeof value === 'function'
          ? (...args: unknown[]) => around(String(name), () => Reflect.apply(value, object, args))
          : value
      },
    })
  const chain = wrap(deps.chain, (_, call) => {
    die()
    return call()
  })
  const beacon =
    deps.beacon &&
    wrap(deps.beacon, (_, call) => {
      die()
      return call()
    })
  const db: Db = wrap(deps.db, (_, call) => {
    die()
    return call()
  })
  const transaction: Db['transaction'] = async (work, config) => {
    die()
    const result = await deps.db.transaction(async (tx) => {
      const inside = await work(tx)
      die()
      return inside
    }, config)
    die()
    return result
  }
  return {
    ...deps,
    chain,
    ...(beacon && { beacon }),
    db: new Proxy(db, {
      get: (object, name) => (name === 'transaction' ? transaction : Reflect.get(object, name)),
    }),
  }
}
