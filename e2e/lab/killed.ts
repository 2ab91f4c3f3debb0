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
  const dying = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          die()
          return Reflect.apply(value, object, args)
        }
      },
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
    chain: dying(deps.chain),
    ...(deps.beacon && { beacon: dying(deps.beacon) }),
    db: new Proxy(dying(deps.db), {
      get: (object, name) => (name === 'transaction' ? transaction : Reflect.get(object, name)),
    }),
  }
}
