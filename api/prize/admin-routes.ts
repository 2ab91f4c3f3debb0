import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../../db/index.ts'
import { correctShipped, shipPrize } from '../../db/prize/claims.ts'
import { loadPrizeDesk } from '../../db/prize/desk.ts'
import type { AdminGuard } from '../auth/guard.ts'
import { correctBody, prizeDesk, shipBody, shippedPrize } from './schema.ts'

/** Where each prize stands, what is due to whom, and that a parcel was sent. */
export const prizeDeskRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' })
    .get(
      '/prizes',
      ...guard.read({ about: 'Prizes, their holders, and what is due', answer: prizeDesk }, ({ db }) =>
        loadPrizeDesk(db),
      ),
    )
    .post(
      '/prizes/shipped',
      ...guard.action(
        'prize.shipped',
        {
          about: 'Says that claimed goods were sent; said again, it changes the parcel’s number',
          body: shipBody,
          answer: shippedPrize,
          refusals: ['NOT_FOUND', 'CLAIM_CLOSED', 'ALREADY_PROCESSED'],
          fresh: true,
        },
        async ({ db, body: { eventNumber, place, tracking = null }, record }) => {
          const { before, after } = await shipPrize(db, { eventNumber, place, tracking })
          record({
            before: { eventNumber, place, state: before.state, tracking: before.tracking },
            after: { eventNumber, place, state: after.state, tracking: after.tracking },
          })
          return shown(db, eventNumber, place)
        },
      ),
    )
    .post(
      '/prizes/corrected',
      ...guard.action(
        'prize.corrected',
        {
          about: 'Takes back, in public and with a reason, that goods were sent',
          body: correctBody,
          answer: shippedPrize,
          refusals: ['NOT_FOUND', 'CLAIM_CLOSED', 'ALREADY_PROCESSED'],
          fresh: true,
        },
        async ({ db, body: { eventNumber, place, reason }, record }) => {
          const { before, after } = await correctShipped(db, { eventNumber, place, reason })
          record({
            before: { eventNumber, place, state: before.state, tracking: before.tracking },
            after: { eventNumber, place, state: after.state, reason },
          })
          return shown(db, eventNumber, place)
        },
      ),
    )

async function shown(db: Db, eventNumber: number, place: number) {
  const [prize] = (await loadPrizeDesk(db, eventNumber)).filter((one) => one.place === place)
  if (!prize) throw new RaffleError('NOT_FOUND', '해당 경품이 없습니다.')
  return prize
}
