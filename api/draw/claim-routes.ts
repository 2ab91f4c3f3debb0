import { Elysia } from 'elysia'
import { type Hex, verifyMessage } from 'viem'
import { claimMessage } from '../../core/claim.ts'
import { RaffleError } from '../../core/errors.ts'
import { getWinner } from '../../db/draw/proof.ts'
import type { Db } from '../../db/index.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { readObject } from '../http/body.ts'
import { onlyFields, toText } from '../http/fields.ts'
import { toEventNumber, toInteger } from '../http/parse.ts'
import { claimCodes } from './claim-code.ts'

const maxEvent = 999_999_999

/** The winner signs with the paying wallet and gets a code; the administrator checks the code. */
export const claimRoutes = ({ db, admin }: Pick<Deps, 'db' | 'admin'>, guard: AdminGuard) => {
  const { codeFor, isCodeOf } = claimCodes(admin.secretKey)
  return new Elysia()
    .get('/api/raffle/claim/:eventNumber', async ({ params }) => {
      const winner = await mustGetWinner(db, toEventNumber(params.eventNumber))
      return { walletAddress: winner.walletAddress, message: claimMessage(winner) }
    })
    .post(
      '/api/raffle/claim',
      async ({ request }) => {
        const fields = await readObject(request)
        const eventNumber = toEvent(fields.eventNumber)
        const signature = toSignature(fields.signature)
        const winner = await mustGetWinner(db, eventNumber)
        const { walletAddress: address } = winner
        const isSigned = await verifyMessage({ address, message: claimMessage(winner), signature }).catch(
          () => false,
        )
        if (!isSigned)
          throw new RaffleError(
            'INVALID_VALUE',
            'signature: it was not made by the winning wallet. A wallet that is a contract cannot sign here: write to our support from any address.',
          )
        return { eventNumber, code: codeFor(eventNumber, address) }
      },
      { parse: 'none' },
    )
    .post(
      '/api/admin/raffle/claim-code',
      guard.action(
        'claim.check',
        {
          body: (fields) => {
            onlyFields(fields, ['eventNumber', 'code'])
            return {
              eventNumber: toEvent(fields.eventNumber),
              code: toText(fields.code, 'code', { max: 64 }),
            }
          },
        },
        async ({ db, body, record }) => {
          const { walletAddress } = await mustGetWinner(db, body.eventNumber)
          const isValid = isCodeOf(body.code, body.eventNumber, walletAddress)
          record({ after: { eventNumber: body.eventNumber, isValid } })
          return { isValid, walletAddress: isValid ? walletAddress : null }
        },
      ),
      { parse: 'none' },
    )
}

async function mustGetWinner(db: Db, eventNumber: number) {
  const winner = await getWinner(db, eventNumber)
  if (!winner) throw new RaffleError('NO_WINNER', 'There is no announced winner of this event.')
  return winner
}

const toEvent = (value: unknown): number => toInteger(value, 'INVALID_VALUE', 'eventNumber', 1, maxEvent)

function toSignature(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{130}$/.test(value))
    throw new RaffleError(
      'INVALID_VALUE',
      'signature must be 0x and 130 hexadecimal digits, as a wallet makes it.',
    )
  return value as Hex
}
