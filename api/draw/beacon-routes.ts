import { Elysia } from 'elysia'
import { quicknet, randomnessOf } from '../../core/draw/beacon.ts'
import { RaffleError } from '../../core/errors.ts'
import { limit } from '../../core/server/concurrency.ts'
import { isSignature } from '../../core/server/signature-check.ts'
import { findSignature, openRound, recordBeacon } from '../../db/draw/beacons.ts'
import type { Deps } from '../deps.ts'
import { clientAddress } from '../http/client-address.ts'
import { route } from '../http/route.ts'
import { beaconBody, takenBeacon } from './schema.ts'

const waitingChecks = 4
const perAddress = { name: 'beacon', calls: 10, inSeconds: 50 }

/** Anyone may hand in the signature of a round: nobody can pretend that drand is down. */
export const beaconRoutes = ({ db, jobs, addresses, limits, beacon: network = quicknet }: Deps) => {
  const addressOf = clientAddress(addresses)
  const calls = limits(perAddress)
  const inTurn = limit(1, { maxWaiting: waitingChecks, refuse: tooMany })
  return new Elysia().post(
    '/api/raffle/beacon',
    ...route({
      about: 'Hands in the signature of the round that a draw waits for',
      more: 'Taken from the time of the round on, and checked against the key of drand quicknet, which is built in; whoever brings it changes nothing about the result.',
      body: beaconBody,
      answer: takenBeacon,
      refusals: ['NOT_FOUND', 'BEACON_KNOWN', 'BEACON_PENDING', 'INVALID_SIGNATURE'],
      run: async ({ body: { eventNumber, signature }, request, server }) => {
        await calls.admit(addressOf(request, server?.requestIP(request)?.address))
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
