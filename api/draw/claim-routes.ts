import { Elysia } from 'elysia'
import { verifyMessage } from 'viem'
import { type ClaimTerms, claimMessage } from '../../core/claim.ts'
import { RaffleError } from '../../core/errors.ts'
import { getWinners } from '../../db/draw/proof.ts'
import type { Db } from '../../db/index.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { claimCodes } from './claim-code.ts'
import { checkedClaim, claimBody, claimCheckBody, claimCode, claimText, placeQuery } from './schema.ts'

/** Each winner signs with his paying wallet and gets a code; the administrator checks the code, which names its place. */
export const claimRoutes = ({ db, admin }: Pick<Deps, 'db' | 'admin'>, guard: AdminGuard) => {
  const { codeFor, isCodeOf } = claimCodes(admin)
  return new Elysia()
    .get(
      '/api/raffle/claim/:eventNumber',
      ...route(
        {
          about: 'What a winner signs to claim the prize',
          params: eventInPath,
          query: placeQuery,
          answer: claimText,
          refusals: ['NO_WINNER'],
        },
        async ({ params: { eventNumber }, query: { place } }) => {
          const winner = await mustGetWinner(db, { eventNumber, place })
          return { walletAddress: winner.walletAddress, message: claimMessage(winner) }
        },
      ),
    )
    .post(
      '/api/raffle/claim',
      ...route(
        {
          about: "A winner's code for the delivery form",
          body: claimBody,
          answer: claimCode,
          refusals: ['NO_WINNER'],
        },
        async ({ body: { eventNumber, place, signature } }) => {
          const winner = await mustGetWinner(db, { eventNumber, place })
          const { walletAddress: address } = winner
          const isSigned = await verifyMessage({ address, message: claimMessage(winner), signature }).catch(
            () => false,
          )
          if (!isSigned)
            throw new RaffleError(
              'INVALID_VALUE',
              'signature: it was not made by the winning wallet. A wallet that is a contract cannot sign here: write to our support from any address.',
              {},
              { field: 'signature' },
            )
          return { eventNumber, code: codeFor(winner) }
        },
      ),
    )
    .post(
      '/api/admin/raffle/claim-code',
      ...guard.action(
        'claim.check',
        {
          about: 'Whether a code is a winner’s, and whose',
          body: claimCheckBody,
          answer: checkedClaim,
          refusals: ['NO_WINNER'],
        },
        async ({ db, body: { eventNumber, code }, record }) => {
          const winner = (await mustGetWinners(db, eventNumber)).find((one) => isCodeOf(code, one))
          record({ after: { eventNumber, isValid: winner !== undefined, place: winner?.place } })
          return {
            isValid: winner !== undefined,
            walletAddress: winner?.walletAddress ?? null,
            place: winner?.place ?? null,
            winners: winner?.winners ?? null,
          }
        },
      ),
    )
}

async function mustGetWinners(db: Db, eventNumber: number): Promise<ClaimTerms[]> {
  const winners = await getWinners(db, eventNumber)
  if (winners.length === 0) throw new RaffleError('NO_WINNER', 'There is no announced winner of this event.')
  return winners
}

async function mustGetWinner(
  db: Db,
  { eventNumber, place = 1 }: { eventNumber: number; place: number | undefined },
): Promise<ClaimTerms> {
  const winner = (await mustGetWinners(db, eventNumber))[place - 1]
  if (!winner) throw new RaffleError('NO_WINNER', `No winner of this event has place ${place}.`)
  return winner
}
