import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { parseSignature, randomnessOf } from '../../core/draw/beacon.ts'
import { whyNotDrawn } from '../../core/draw/rules.ts'
import { RaffleError } from '../../core/errors.ts'
import { mostEventNumber } from '../../core/event/ranges.ts'
import { limit } from '../../core/server/concurrency.ts'
import { isSignature } from '../../core/server/signature-check.ts'
import { poll } from '../../core/server/time.ts'
import { areAnchorsRead, readAnchorState } from '../../db/draw/anchors.ts'
import { findSignature, openRound, recordBeacon } from '../../db/draw/beacons.ts'
import { announceAgain, clearWinner, unwantDraw, wantDraw } from '../../db/draw/draws.ts'
import { getDrawFacts, loadProof } from '../../db/draw/facts.ts'
import { mustHaveEvent } from '../../db/event/events.ts'
import { getEnding, getScanCursor } from '../../db/event/sale.ts'
import { expectOpenHouse } from '../../db/event/shut.ts'
import { changesPage } from '../../db/event/terms.ts'
import type { Db } from '../../db/index.ts'
import { listDrawHistory } from '../../db/report/public.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { visitors } from '../http/client-address.ts'
import { answerFound, forGood, forNow, readyJson, remember, rememberByVersion } from '../http/ready.ts'
import { notModified, route } from '../http/route.ts'
import { read, refusal, refuse } from '../http/schema.ts'
import { cursor, eventInPath, whole } from '../http/values.ts'

const beaconBody = t.Object({
  eventNumber: whole(1, mostEventNumber),
  signature: read(
    t.String(refusal('INVALID_SIGNATURE', { reason: 'form' })),
    (value) => parseSignature(value) ?? refuse(),
  ),
})

export const drawRoutes = (deps: Deps, guard: AdminGuard) => {
  // A worker draws, in a transaction of its own, so this action has none.
  const draw = <const Path extends string>(path: Path) =>
    guard.action(path, {
      action: 'draw',
      about: 'Begins the draw; after a clear the same winner is told again',
      refusals: [
        ...(['DRAW_NOT_DUE', 'MIN_NOT_REACHED', 'ALREADY_DRAWN', 'REFUND_MODE'] as const),
        ...(['NOT_FINAL', 'BEACON_PENDING', 'RPC_UNAVAILABLE'] as const),
      ],
      atomic: false,
      run: async ({ db, record }) => {
        const eventNumber = await beginDraw({ ...deps, db })
        record({ after: { eventNumber } })
        return { eventNumber, isDrawing: true }
      },
    })
  return new Elysia()
    .post(...draw('/api/admin/blockchain/draw'))
    .post(...draw('/api/raffle/execute-draw'))
    .delete(
      ...guard.action('/api/admin/raffle/winner', {
        action: 'winner.clear',
        about: 'Hides the announced winner',
        refusals: ['NO_WINNER'],
        run: async ({ db, record }) => {
          const clearedWinner = await clearWinner(db)
          record({ before: clearedWinner })
          return { clearedWinner }
        },
      }),
    )
    .get(
      ...guard.read('/api/admin/raffle/anchor', {
        about: 'Anchors of the open event, and the key of ANCHOR_KEY',
        run: async ({ db }) => readAnchorState(db, await mustHaveEvent(db)),
      }),
    )
    .get(
      ...guard.read('/api/admin/raffle/history', {
        about: 'Every event with its draw',
        run: ({ db }) => listDrawHistory(db),
      }),
    )
}

/** Returns once the draw has begun: a worker makes what is wanted here, and of parallel calls the first
 * begins it. After a clear the winner already drawn is announced again, without a new draw. */
async function beginDraw({ db, jobs, clock, beacon }: Deps) {
  const found = await getDrawFacts(db, beacon)
  if (!found) throw new RaffleError('DRAW_NOT_DUE')
  await expectOpenHouse(db)
  const { event, facts } = found
  const { number: eventNumber, drawDate } = event
  if (facts.isDrawn && event.winnerClearedAt && (await db.transaction(announceAgain))) return eventNumber
  const refusal = whyNotDrawn(facts)
  if (refusal) throw refusal
  const cursor = await getScanCursor(db)
  if (!cursor || !drawDate || cursor.blockTime < drawDate)
    throw new RaffleError('NOT_FINAL', { reason: 'block' })
  const isFirst = await wantDraw(db, eventNumber)
  void jobs.enqueue('draw', { eventNumber }, { jobId: `draw-${eventNumber}-wanted-${Date.now()}` })
  const look = () => getEnding(db, eventNumber)
  const ending =
    (await poll(look, { withinMs: 8_000, everyMs: 80 }, clock)) ??
    ((await unwantDraw(db, eventNumber)) ? undefined : await look())
  if (!ending) throw new RaffleError('RPC_UNAVAILABLE', { reason: 'draw' })
  if (ending.kind === 'refunds') throw new RaffleError('REFUND_MODE')
  if (!isFirst) throw new RaffleError('ALREADY_DRAWN')
  return eventNumber
}

/** Anyone may hand in the signature of a round: nobody can pretend that drand is down. */
export const beaconRoutes = ({ db, jobs, addresses, limits, beacon: network }: Deps) => {
  const { addressOf } = visitors(addresses)
  const calls = limits({ name: 'beacon', calls: 10, inSeconds: 50 })
  const inTurn = limit(1, { maxWaiting: 4, refuse: tooMany })
  return new Elysia().post(
    ...route('/api/raffle/beacon', {
      about: 'Hands in the signature of the round that a draw waits for',
      more: 'Taken from the time of the round on, and checked against the key of drand quicknet, which is built in; whoever brings it changes nothing about the result.',
      body: beaconBody,
      refusals: ['NOT_FOUND', 'BEACON_KNOWN', 'BEACON_PENDING'],
      run: async ({ body: { eventNumber, signature }, ...call }) => {
        await calls.admit(addressOf(call))
        const { round, chainHash } = await openRound(db, eventNumber, network)
        await inTurn(async () => {
          // Many pages bring it at once: those behind the first one cost no check.
          if (await findSignature(db, { chainHash, round }, network)) throw known()
          if (!(await isSignature(signature, round, network)))
            throw new RaffleError('INVALID_SIGNATURE', { reason: 'round', values: { round } })
          if (!(await recordBeacon(db, { chainHash, round, signature, source: 'visitor' }))) throw known()
        })
        void jobs.enqueue('draw', { eventNumber }, { jobId: `draw-${eventNumber}-round-${round}` })
        return { eventNumber, round, randomness: randomnessOf(signature) }
      },
    }),
  )
}

const known = () => new RaffleError('BEACON_KNOWN')
const tooMany = () =>
  new RaffleError('RATE_LIMITED', { reason: 'signatures', data: { retryAfterSeconds: 2 } })

const changesPath = '/api/raffle/changes'

async function textOfChanges(db: Db, caching: string, cursor?: number) {
  const page = await changesPage(db, cursor)
  if (!page) return undefined
  const { changes, next } = page
  return readyJson(changes, caching, next === undefined ? undefined : `${changesPath}?cursor=${next}`)
}

/** The data to verify a draw: its proof, which never changes, and the public list of changes. */
export const proofRoutes = ({ db, state }: Deps) => {
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
      ...route('/api/raffle/proof/:eventNumber', {
        about: 'Everything a draw was made of',
        more: '404 before the winner is announced; unchanged from then on, but for an anchor that was read late.',
        params: eventInPath,
        also: notModified,
        run: async ({ params, request }) => {
          const proof = (await proofs(params.eventNumber)) ?? (await load(params.eventNumber, forNow))
          return answerFound(request, proof, 'proof')
        },
      }),
    )
    .get(
      ...route(changesPath, {
        about: 'What administrators and the chain changed, in public',
        more: 'Pages of 200; the header `Link` has the address of the next one (rel="next"), as long as there is one; no other cursor is answered.',
        query: t.Object({ cursor }),
        also: notModified,
        run: async ({ request, query: { cursor } }) =>
          answerFound(request, await (cursor === undefined ? changes(0) : olderChanges(cursor)), 'page'),
      }),
    )
}
