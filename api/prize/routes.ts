import { Elysia } from 'elysia'
import { refuseOtherAddress } from '../../core/content/read-content.ts'
import { RaffleError } from '../../core/errors.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { sayOfPrize } from '../../db/prize/claims.ts'
import { loadAnnouncedPrizes, loadPrizeDesk } from '../../db/prize/shown.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { eventRoute } from '../http/event-route.ts'
import { forNow } from '../http/ready.ts'
import { deskPrize, prizeBody, prizeDesk, publicPrizes } from './schema.ts'

/** What became of the prizes of an event. */
export const publicPrizeRoutes = (deps: Pick<Deps, 'db' | 'state'>) =>
  new Elysia().get(
    '/api/raffle/prizes/:eventNumber',
    ...eventRoute(deps, {
      about: 'What became of the prizes of an event',
      more: '404 before its winners are announced. A clear of the winner does not hide it.',
      answer: publicPrizes,
      load: loadAnnouncedPrizes,
      caching: forNow,
      missing: 'record',
    }),
  )

/** Where each prize stands, what is due to whom, and what an administrator says of goods. */
export const prizeDeskRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' })
    .get(
      '/prizes',
      ...guard.read({
        about: 'Prizes, their holders, and what is due',
        answer: prizeDesk,
        background: true,
        run: ({ db }) => loadPrizeDesk(db),
      }),
    )
    .post(
      '/prizes',
      ...guard.action({
        action: 'prize.said',
        about:
          'Says that claimed goods were sent, have come, or, in public and with a reason, that it is not so',
        more: 'Sent again, it changes the number of the parcel.',
        body: prizeBody,
        answer: deskPrize,
        refusals: ['NOT_FOUND', 'CLAIM_CLOSED', 'ALREADY_PROCESSED'],
        values: async ({ db, body: { reason } }) =>
          refuseOtherAddress(reason, (await getOpenEvent(db))?.operatorWallet, 'reason'),
        run: async ({ db, body: { eventNumber, place, act, tracking, reason }, record }) => {
          const said = {
            ...{ eventNumber, place, act },
            ...(act === 'sent' && { tracking: tracking ?? null }),
            ...(act === 'corrected' && { reason: expectReason(reason) }),
          }
          const { state } = await sayOfPrize(db, said)
          record({ before: { eventNumber, place, state }, after: said })
          const after = (await loadPrizeDesk(db, eventNumber)).find((one) => one.place === place)
          if (!after) throw new RaffleError('NOT_FOUND', { reason: 'prize' })
          return after
        },
      }),
    )

function expectReason(reason: string | undefined): string {
  if (reason !== undefined) return reason
  throw new RaffleError('INVALID_VALUE', { reason: 'correction', field: 'reason' })
}
