import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { areAnchorsRead } from '../../db/draw/anchors.ts'
import { loadProof } from '../../db/draw/facts.ts'
import { changesPage } from '../../db/event/terms.ts'
import type { Db } from '../../db/index.ts'
import type { Deps } from '../deps.ts'
import { changeList, changesQuery } from '../event/schema.ts'
import { notModified } from '../http/answers.ts'
import { answerCached, type CachedText, cachedText, remember } from '../http/cached-text.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { proof as proofSchema } from './schema.ts'

const changesPath = '/api/raffle/changes'

async function textOfChanges(db: Db, cursor?: number): Promise<CachedText | undefined> {
  const page = await changesPage(db, cursor)
  if (!page) return undefined
  const { changes, next } = page
  return cachedText(changes, next === undefined ? undefined : `${changesPath}?cursor=${next}`)
}

/** The data to verify a draw: its proof, which never changes, and the public list of changes. */
export const proofRoutes = ({ db, state }: Pick<Deps, 'db' | 'state'>) => {
  const load = async (eventNumber: number) => {
    const proof = await loadProof(db, eventNumber)
    return proof && cachedText(proof)
  }
  const proofs = remember(async (eventNumber: number) =>
    (await areAnchorsRead(db, eventNumber)) ? load(eventNumber) : undefined,
  )
  const changes = latest(
    () => state.version,
    async () => (await textOfChanges(db)) as CachedText,
  )
  const olderChanges = remember((cursor: number) => textOfChanges(db, cursor))
  return new Elysia()
    .get(
      '/api/raffle/proof/:eventNumber',
      ...route(
        {
          about: 'Everything a draw was made of',
          more: '404 before the winner is announced; unchanged from then on, but for an anchor that was read late.',
          params: eventInPath,
          answer: proofSchema,
          also: notModified,
        },
        async ({ params, request }) => {
          const settled = await proofs(params.eventNumber)
          const proof = settled ?? (await load(params.eventNumber))
          if (!proof)
            throw new RaffleError('NOT_FOUND', 'There is no proof before the winner has been announced.')
          return answerCached(request, proof, settled ? forGood : forNow)
        },
      ),
    )
    .get(
      changesPath,
      ...route(
        {
          about: 'What administrators and the chain changed, in public',
          more: 'Pages of 200; the header `Link` has the address of the next one (rel="next"), as long as there is one; no other cursor is answered.',
          query: changesQuery,
          answer: changeList,
          also: notModified,
        },
        async ({ request, query: { cursor } }) => {
          if (cursor === undefined) return answerCached(request, await changes(), forNow)
          const older = await olderChanges(cursor)
          if (!older) throw new RaffleError('NOT_FOUND', 'No page of the list begins there.')
          return answerCached(request, older, forGood)
        },
      ),
    )
}

const forNow = 'public, max-age=0, s-maxage=1, stale-if-error=600'
const forGood = 'public, max-age=31536000, immutable'

/** Reloads when the version has changed; serves the last value while the database is down. */
function latest(version: () => number, load: () => Promise<CachedText>) {
  let known: { version: number; value: CachedText } | undefined
  let loading: Promise<CachedText> | undefined
  return async (): Promise<CachedText> => {
    const wanted = version()
    if (known && known.version >= wanted) return known.value
    loading ??= load().finally(() => {
      loading = undefined
    })
    try {
      const value = await loading
      known = { version: wanted, value }
      return value
    } catch (error) {
      if (known) return known.value
      throw error
    }
  }
}
