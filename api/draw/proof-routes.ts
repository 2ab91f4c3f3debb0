import { Elysia } from 'elysia'
import { areAnchorsRead } from '../../db/draw/anchors.ts'
import { loadProof } from '../../db/draw/facts.ts'
import { changesPage } from '../../db/event/terms.ts'
import type { Db } from '../../db/index.ts'
import type { Deps } from '../deps.ts'
import { notModified } from '../http/answers.ts'
import {
  answerFound,
  answerReady,
  forGood,
  forNow,
  type Ready,
  readyJson,
  remember,
  rememberByVersion,
} from '../http/ready.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { changeList, changesQuery, proof as proofSchema } from './schema.ts'

const changesPath = '/api/raffle/changes'

async function textOfChanges(db: Db, caching: string, cursor?: number): Promise<Ready | undefined> {
  const page = await changesPage(db, cursor)
  if (!page) return undefined
  const { changes, next } = page
  return readyJson(changes, caching, next === undefined ? undefined : `${changesPath}?cursor=${next}`)
}

/** The data to verify a draw: its proof, which never changes, and the public list of changes. */
export const proofRoutes = ({ db, state }: Pick<Deps, 'db' | 'state'>) => {
  const load = async (eventNumber: number, caching: string) => {
    const proof = await loadProof(db, eventNumber)
    return proof && readyJson(proof, caching)
  }
  const proofs = remember(async (eventNumber: number) =>
    (await areAnchorsRead(db, eventNumber)) ? load(eventNumber, forGood) : undefined,
  )
  const changes = rememberByVersion(
    () => state.version,
    () => textOfChanges(db, forNow),
  )
  const olderChanges = remember((cursor: number) => textOfChanges(db, forGood, cursor))
  return new Elysia()
    .get(
      '/api/raffle/proof/:eventNumber',
      ...route({
        about: 'Everything a draw was made of',
        more: '404 before the winner is announced; unchanged from then on, but for an anchor that was read late.',
        params: eventInPath,
        answer: proofSchema,
        also: notModified,
        run: async ({ params, request }) => {
          const proof = (await proofs(params.eventNumber)) ?? (await load(params.eventNumber, forNow))
          return answerFound(request, proof, 'proof')
        },
      }),
    )
    .get(
      changesPath,
      ...route({
        about: 'What administrators and the chain changed, in public',
        more: 'Pages of 200; the header `Link` has the address of the next one (rel="next"), as long as there is one; no other cursor is answered.',
        query: changesQuery,
        answer: changeList,
        also: notModified,
        run: async ({ request, query: { cursor } }) => {
          if (cursor === undefined) return answerReady(request, (await changes(0)) as Ready)
          return answerFound(request, await olderChanges(cursor), 'page')
        },
      }),
    )
}
