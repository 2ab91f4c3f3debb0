import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { loadProof } from '../../db/draw/proof.ts'
import { listChanges } from '../../db/event/changes.ts'
import type { Deps } from '../deps.ts'
import { changeList } from '../event/schema.ts'
import { notModified } from '../http/answers.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { etagOf, matches } from '../live/cached-response.ts'
import { proof as proofSchema } from './schema.ts'

type CachedText = { text: string; etag: string }

const cachedText = (value: unknown): CachedText => {
  const text = JSON.stringify(value)
  return { text, etag: etagOf(text) }
}

/** The data to verify a draw: its proof, which never changes, and the public list of changes. */
export const proofRoutes = ({ db, state }: Pick<Deps, 'db' | 'state'>) => {
  const proofs = remember((eventNumber: number) => loadProof(db, eventNumber))
  const changes = latest(
    () => state.version,
    async () => cachedText(await listChanges(db)),
  )
  return new Elysia()
    .get(
      '/api/raffle/proof/:eventNumber',
      ...route(
        {
          about: 'Everything a draw was made of',
          more: '404 before the winner is announced; unchanged from then on.',
          params: eventInPath,
          answer: proofSchema,
          also: notModified,
        },
        async ({ params, request }) => {
          const proof = await proofs(params.eventNumber)
          if (!proof)
            throw new RaffleError('NOT_FOUND', 'There is no proof before the winner has been announced.')
          return answer(request, proof, 'public, max-age=31536000, immutable')
        },
      ),
    )
    .get(
      '/api/raffle/changes',
      ...route(
        {
          about: 'What administrators and the chain changed, in public',
          answer: changeList,
          also: notModified,
        },
        async ({ request }) =>
          answer(request, await changes(), 'public, max-age=0, s-maxage=1, stale-if-error=600'),
      ),
    )
}

function answer(request: Request, { text, etag }: CachedText, cacheControl: string): Response {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': cacheControl, etag }
  return matches(request.headers.get('if-none-match') ?? '', etag)
    ? new Response(null, { status: 304, headers })
    : new Response(text, { headers })
}

const notYetMs = 500
const rememberedEvents = 500

/** Caches found values for good, as they never change; missing ones are loaded at most twice a second. */
function remember(load: (key: number) => Promise<object | undefined>) {
  const known = new Map<number, { until: number; value: Promise<CachedText | undefined> }>()
  return async (key: number): Promise<CachedText | undefined> => {
    const entry = known.get(key)
    if (entry && performance.now() < entry.until) return entry.value
    const value = load(key).then((loaded) => (loaded ? cachedText(loaded) : undefined))
    const fresh = { until: performance.now() + notYetMs, value }
    known.delete(key)
    known.set(key, fresh)
    if (known.size > rememberedEvents) known.delete(known.keys().next().value as number)
    void value.then(
      (loaded) => {
        if (loaded) fresh.until = Number.POSITIVE_INFINITY
      },
      () => known.delete(key),
    )
    return value
  }
}

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
