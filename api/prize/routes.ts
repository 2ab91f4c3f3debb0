import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { loadAnnouncedPrizes } from '../../db/prize/public.ts'
import type { Deps } from '../deps.ts'
import { notModified } from '../http/answers.ts'
import { answerCached, cachedText, remember } from '../http/cached-text.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { publicPrizes } from './schema.ts'

/** What became of the prizes of an event. */
export const publicPrizeRoutes = ({ db, state }: Pick<Deps, 'db' | 'state'>) => {
  const prizes = remember(
    async (eventNumber) => {
      const found = await loadAnnouncedPrizes(db, eventNumber)
      return found && cachedText(found)
    },
    () => state.version,
  )
  return new Elysia().get(
    '/api/raffle/prizes/:eventNumber',
    ...route(
      {
        about: 'What became of the prizes of an event',
        more: '404 before its winners are announced. A clear of the winner does not hide it.',
        params: eventInPath,
        answer: publicPrizes,
        also: notModified,
      },
      async ({ params, request }) => {
        const found = await prizes(params.eventNumber)
        if (!found) throw new RaffleError('NOT_FOUND', 'There is no record of prizes of this event.')
        return answerCached(request, found, 'public, max-age=0, s-maxage=1, stale-if-error=600')
      },
    ),
  )
}
