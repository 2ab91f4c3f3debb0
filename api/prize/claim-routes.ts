import { Elysia } from 'elysia'
import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { defaultFormHosts, isFormUrl } from '../../core/prize/form-url.ts'
import type { Db } from '../../db/index.ts'
import { type Claimable, claimPrize, confirmDelivery, listClaimable } from '../../db/prize/claims.ts'
import { isAnnounced, loadAnnouncedPrizes } from '../../db/prize/public.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { claimCodes } from './claim-code.ts'
import { claimMessages } from './messages.ts'
import {
  checkedClaim,
  claimBody,
  claimCheckBody,
  claimCode,
  claimQuery,
  claimText,
  confirmedDelivery,
} from './schema.ts'

type ClaimDeps = Pick<Deps, 'db' | 'jobs' | 'admin' | 'allowedOrigins' | 'addresses' | 'isDevelopment'>
const asked = [
  'MISDIRECTED',
  'NOT_FINAL',
  'RPC_UNAVAILABLE',
  'BUSY',
  'CLAIM_MISMATCH',
  'CLAIM_EXPIRED',
  'CLAIM_USED',
  'CLAIM_CLOSED',
] as const

const textToSign = {
  params: eventInPath,
  query: claimQuery,
  answer: claimText,
  refusals: ['NO_WINNER', 'CLAIM_CLOSED', 'MISDIRECTED'],
} as const

/**
 * The holder of a prize signs with his wallet that he claims it and gets a code, and later that it has come; the
 * administrator checks the code, which names its place.
 */
export const claimRoutes = (deps: ClaimDeps, guard: AdminGuard) => {
  const { db } = deps
  const { codeFor, isCodeOf } = claimCodes(deps.admin)
  const { formHosts = defaultFormHosts } = deps.admin
  const messages = claimMessages(deps)
  return new Elysia()
    .get(
      '/api/raffle/claim/:eventNumber',
      ...route(
        {
          about: 'What the holder of a prize signs to claim it',
          more: 'An EIP-4361 message for this site: good once, for ten minutes.',
          ...textToSign,
        },
        async ({ params: { eventNumber }, query, ...call }) => {
          const holder = await mustFind(db, { eventNumber, ...query })
          expectGoods(holder)
          return describe(holder, await messages.make('claim', holder, call))
        },
      ),
    )
    .get(
      '/api/raffle/claim/:eventNumber/receipt',
      ...route(
        {
          about: 'What the holder of a prize signs when it has come',
          ...textToSign,
        },
        async ({ params: { eventNumber }, query, ...call }) => {
          const holder = await mustFind(db, { eventNumber, ...query })
          expectGoods(holder)
          if (holder.state !== 'shipped' && holder.state !== 'delivered') throw notSent()
          return describe(holder, await messages.make('receipt', holder, call))
        },
      ),
    )
    .post(
      '/api/raffle/claim',
      ...route(
        {
          about: 'Claims a prize; answers the code for the delivery form, the same one each time',
          body: claimBody,
          answer: claimCode,
          refusals: ['NO_WINNER', ...asked],
        },
        async ({ body: { eventNumber, place = 1, ...given }, ...call }) => {
          const holder = await mustFind(db, { eventNumber, place })
          expectGoods(holder)
          const signed = await messages.expectSigned('claim', holder, given, call)
          await claimPrize(db, { eventNumber, place }, signed)
          const { formUrl: url } = holder
          const formUrl = url !== null && isFormUrl(url, formHosts) ? url : null
          return { eventNumber, code: codeFor(holder), formUrl }
        },
      ),
    )
    .post(
      '/api/raffle/claim/receipt',
      ...route(
        {
          about: 'Says that a prize has come',
          body: claimBody,
          answer: confirmedDelivery,
          refusals: ['NO_WINNER', ...asked],
        },
        async ({ body: { eventNumber, place = 1, ...given }, ...call }) => {
          const holder = await mustFind(db, { eventNumber, place })
          const signed = await messages.expectSigned('receipt', holder, given, call)
          await confirmDelivery(db, { eventNumber, place }, signed)
          return { eventNumber, place, state: 'delivered' as const }
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
          refusals: ['NO_WINNER', 'CLAIM_CLOSED'],
        },
        async ({ db, body: { eventNumber, code }, record }) => {
          const holder = (await mustList(db, eventNumber)).find((one) => isCodeOf(code, one))
          record({ after: { eventNumber, isValid: holder !== undefined, place: holder?.place } })
          return {
            isValid: holder !== undefined,
            walletAddress: holder?.walletAddress ?? null,
            place: holder?.place ?? null,
            winners: holder?.winners ?? null,
          }
        },
      ),
    )
}

const describe = ({ walletAddress, place, claimBy, operatorWallet }: Claimable, message: string) => ({
  ...{ walletAddress, message, place, operatorWallet },
  claimBy: claimBy?.toISOString() ?? null,
})

async function mustList(db: Db, eventNumber: number): Promise<Claimable[]> {
  const holders = await listClaimable(db, eventNumber)
  if (holders.length > 0) return holders
  // All turns of all prizes went by, or nobody is announced yet.
  if (await loadAnnouncedPrizes(db, eventNumber)) throw nobodysTurn()
  if (await isAnnounced(db, eventNumber))
    throw new RaffleError('CLAIM_CLOSED', 'No record is kept of the prizes of this event.')
  throw new RaffleError('NO_WINNER', 'There is no announced winner of this event.')
}

/** Whose prize it is: by its place, or by the wallet; the first one without either. */
async function mustFind(
  db: Db,
  {
    eventNumber,
    place,
    wallet,
  }: { eventNumber: number; place?: number | undefined; wallet?: Address | undefined },
): Promise<Claimable> {
  const holders = await mustList(db, eventNumber)
  const isIts = (one: Claimable) =>
    (place === undefined || one.place === place) &&
    (wallet === undefined || one.walletAddress.toLowerCase() === wallet.toLowerCase())
  const holder =
    place === undefined && wallet === undefined ? holders.find((one) => one.place === 1) : holders.find(isIts)
  if (holder) return holder
  const isDrawn = place !== undefined && wallet === undefined && place <= (holders[0]?.winners ?? 0)
  if (isDrawn || wallet !== undefined || place === undefined) throw nobodysTurn()
  throw new RaffleError('NO_WINNER', `No winner of this event has place ${place}.`)
}

function expectGoods({ kind }: Claimable): void {
  if (kind !== 'goods')
    throw new RaffleError(
      'CLAIM_CLOSED',
      'This prize is paid in USDT to the winning wallet: nothing has to be claimed.',
    )
}

const nobodysTurn = () =>
  new RaffleError('CLAIM_CLOSED', 'Nobody can claim this prize now, or not this wallet.')
const notSent = () => new RaffleError('CLAIM_CLOSED', 'This prize has not been sent yet.')
