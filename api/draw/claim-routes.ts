import { Elysia } from 'elysia'
import { verifyMessage } from 'viem'
import { claimMessage } from '../../core/claim.ts'
import { RaffleError } from '../../core/errors.ts'
import { getWinner } from '../../db/draw/proof.ts'
import type { Db } from '../../db/index.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { claimCodes } from './claim-code.ts'
import { checkedClaim, claimBody, claimCheckBody, claimCode, claimText } from './schema.ts'

/** The winner signs with the paying wallet and gets a code; the administrator checks the code. */
export const claimRoutes = ({ db, admin }: Pick<Deps, 'db' | 'admin'>, guard: AdminGuard) => {
  const { codeFor, isCodeOf } = claimCodes(admin.secretKey)
  return new Elysia()
    .get(
      '/api/raffle/claim/:eventNumber',
      ...route(
        {
          about: 'What the winner signs to claim the prize',
          params: eventInPath,
          answer: claimText,
          refusals: ['NO_WINNER'],
        },
        async ({ params }) => {
          const winner = await mustGetWinner(db, params.eventNumber)
          return { walletAddress: winner.walletAddress, message: claimMessage(winner) }
        },
      ),
    )
    .post(
      '/api/raffle/claim',
      ...route(
        {
          about: "The winner's code for the delivery form",
          body: claimBody,
          answer: claimCode,
          refusals: ['NO_WINNER'],
        },
        async ({ body: { eventNumber, signature } }) => {
          const winner = await mustGetWinner(db, eventNumber)
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
          return { eventNumber, code: codeFor(eventNumber, address) }
        },
      ),
    )
    .post(
      '/api/admin/raffle/claim-code',
      ...guard.action(
        'claim.check',
        {
          about: 'Whether a code is the winner’s',
          body: claimCheckBody,
          answer: checkedClaim,
          refusals: ['NO_WINNER'],
        },
        async ({ db, body, record }) => {
          const { walletAddress } = await mustGetWinner(db, body.eventNumber)
          const isValid = isCodeOf(body.code, body.eventNumber, walletAddress)
          record({ after: { eventNumber: body.eventNumber, isValid } })
          return { isValid, walletAddress: isValid ? walletAddress : null }
        },
      ),
    )
}

async function mustGetWinner(db: Db, eventNumber: number) {
  const winner = await getWinner(db, eventNumber)
  if (!winner) throw new RaffleError('NO_WINNER', 'There is no announced winner of this event.')
  return winner
}
