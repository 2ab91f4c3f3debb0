import type { Db } from '../../db/index.ts'
import type { Deps } from '../deps.ts'
import { answerFound, type NotFound, readyJson, rememberByVersion } from './ready.ts'
import { notModified, route } from './route.ts'
import { eventInPath } from './values.ts'

type EventCall<T> = {
  about: string
  more?: string
  /** Undefined where there is nothing of this event. */
  load: (db: Db, eventNumber: number) => Promise<T | undefined>
  caching: string
  /** What is not found then. */
  missing: NotFound
}

/**
 * A public call about one event: JSON that is made once a version of the public state and answered from memory, the last one
 * while the database is gone.
 */
export function eventRoute<const Path extends string, T>(
  { db, state }: Pick<Deps, 'db' | 'state'>,
  path: Path,
  { load, caching, missing, ...contract }: EventCall<T>,
) {
  const made = rememberByVersion(
    () => state.version,
    async (eventNumber) => {
      const found = await load(db, eventNumber)
      return found && readyJson(found, caching)
    },
  )
  return route(path, {
    ...contract,
    params: eventInPath,
    also: notModified,
    run: async ({ params: { eventNumber }, request }) =>
      answerFound(request, await made(eventNumber), missing),
  })
}
