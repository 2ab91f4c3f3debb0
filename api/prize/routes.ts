import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Address } from 'viem'
import { refuseOtherAddress } from '../../core/content/read-content.ts'
import { mostWinners } from '../../core/draw/winners.ts'
import { RaffleError } from '../../core/errors.ts'
import { mostEventNumber, mostLetters } from '../../core/event/ranges.ts'
import { isFormUrl } from '../../core/prize/claim.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import type { Db } from '../../db/index.ts'
import { type Claimable, claimPrize, listClaimable, sayOfPrize } from '../../db/prize/claims.ts'
import { loadAnnouncedPrizes, loadPrizeDesk } from '../../db/prize/shown.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { forNow } from '../http/ready.ts'
import { eventRoute, route } from '../http/route.ts'
import { exact, nullable, read, refusal } from '../http/schema.ts'
import { anySignature, choice, eventInPath, text, wallet, whole, words } from '../http/values.ts'
import { claimCodes, claimMessages } from './claim-messages.ts'

const event = whole(1, mostEventNumber)
/** Of the winners, or the wallet whose turn it is; the first winner without either. */
const claimQuery = t.Object({
  place: t.Optional(
    read(
      t.String({
        pattern: '^([1-9]|1[0-9]|20)$',
        ...refusal('INVALID_VALUE', { reason: 'whole', values: { least: 1, most: mostWinners } }),
      }),
      Number,
    ),
  ),
  wallet: t.Optional(wallet),
})
const claimBody = t.Object({
  eventNumber: event,
  place: t.Optional(whole(1, mostWinners)),
  message: text({ max: 2_000, lines: true }),
  signature: anySignature(1_024), // Anybody may post one: fifteen owners of a Safe fit in.
})

const prizeBody = exact({
  eventNumber: event,
  place: whole(1, mostWinners),
  act: choice(['sent', 'corrected', 'delivered']),
  /** Of `sent`: carrier and number of the parcel. */
  tracking: t.Optional(nullable(text({ max: mostLetters.tracking }))),
  /** Of `corrected`. */
  reason: t.Optional(words(mostLetters.correction)),
})

export const publicPrizeRoutes = (deps: Deps) =>
  new Elysia().get(
    ...eventRoute(deps, '/api/raffle/prizes/:eventNumber', {
      about: 'What became of the prizes of an event',
      more: '404 before its winners are announced. A clear of the winner does not hide it.',
      load: loadAnnouncedPrizes,
      caching: forNow,
      missing: 'record',
    }),
  )

export const prizeDeskRoutes = (guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin' })
    .get(
      ...guard.read('/prizes', {
        about: 'Prizes, their holders, and what is due',
        background: true,
        run: ({ db }) => loadPrizeDesk(db),
      }),
    )
    .post(
      ...guard.action('/prizes', {
        action: 'prize.said',
        about:
          'Says that claimed goods were sent, have come, or, in public and with a reason, that it is not so',
        more: 'Sent again, it changes the number of the parcel.',
        body: prizeBody,
        refusals: ['NOT_FOUND', 'CLAIM_CLOSED', 'ALREADY_PROCESSED'],
        // That goods went or came moves no money and can be corrected; only that says something of one's own in public.
        fresh: ({ act }) => act === 'corrected',
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

/** The holder of a prize signs with his wallet that he claims it and gets a code for the form; the
 * administrator checks the code, which names its place. */
export const claimRoutes = (deps: Deps, guard: AdminGuard) => {
  const { db } = deps
  const { codeFor, isCodeOf } = claimCodes(deps.admin)
  const { make, expectSigned } = claimMessages(deps)

  return new Elysia()
    .get(
      ...route('/api/raffle/claim/:eventNumber', {
        about: 'What the holder of a prize signs to claim it',
        more: 'An EIP-4361 message for this site: good once, for ten minutes.',
        params: eventInPath,
        query: claimQuery,
        refusals: ['NO_WINNER', 'CLAIM_CLOSED'],
        run: async ({ params: { eventNumber }, query, ...call }) => {
          const holder = await mustFind(db, { eventNumber, ...query })
          const message = await make(holder, call)
          const { walletAddress, place, claimBy, operatorWallet } = holder
          return { walletAddress, message, place, operatorWallet, claimBy }
        },
      }),
    )
    .post(
      ...route('/api/raffle/claim', {
        about: 'Claims a prize; answers the code for the delivery form, the same one each time',
        body: claimBody,
        refusals: [
          ...(['NO_WINNER', 'NOT_FINAL', 'RPC_UNAVAILABLE', 'BUSY'] as const),
          ...(['CLAIM_MISMATCH', 'CLAIM_EXPIRED', 'CLAIM_USED', 'CLAIM_CLOSED'] as const),
        ],
        run: async ({ body: { eventNumber, place = 1, ...given }, ...call }) => {
          const holder = await mustFind(db, { eventNumber, place })
          await claimPrize(db, { eventNumber, place }, await expectSigned(holder, given, call))
          const { formUrl: url } = holder
          const formUrl = url !== null && isFormUrl(url, deps.admin.formHosts) ? url : null
          return { eventNumber, code: codeFor(holder), formUrl }
        },
      }),
    )
    .post(
      ...guard.action('/api/admin/raffle/claim-code', {
        action: 'claim.check',
        about: 'Whether a code is a winner’s, and whose',
        body: exact({ eventNumber: whole(1, mostEventNumber), code: text({ max: 64 }) }),
        refusals: ['NO_WINNER', 'CLAIM_CLOSED'],
        // It only reads.
        ...{ own: true, fresh: false },
        run: async ({ db, body: { eventNumber, code }, record }) => {
          const holder = (await mustList(db, eventNumber)).find((one) => isCodeOf(code, one))
          record({ after: { eventNumber, isValid: holder !== undefined, place: holder?.place } })
          return {
            isValid: holder !== undefined,
            walletAddress: holder?.walletAddress ?? null,
            place: holder?.place ?? null,
            winners: holder?.winners ?? null,
          }
        },
      }),
    )
}

async function mustList(db: Db, eventNumber: number): Promise<Claimable[]> {
  const holders = await listClaimable(db, eventNumber)
  if (holders.length > 0) return holders
  // All turns of all prizes went by, or nobody is announced yet.
  if (await loadAnnouncedPrizes(db, eventNumber)) throw nobodysTurn()
  throw new RaffleError('NO_WINNER', { reason: 'announced' })
}

type Wanted = { eventNumber: number; place?: number | undefined; wallet?: Address | undefined }

/** Whose goods they are: by the place, or by the wallet; the first one without either. */
async function mustFind(db: Db, { eventNumber, place, wallet }: Wanted): Promise<Claimable> {
  const holders = await mustList(db, eventNumber)
  const isIts = (one: Claimable) =>
    one.place === (place ?? (wallet ? one.place : 1)) &&
    (wallet === undefined || one.walletAddress.toLowerCase() === wallet.toLowerCase())
  const holder = holders.find(isIts)
  if (holder && holder.kind !== 'goods') throw new RaffleError('CLAIM_CLOSED', { reason: 'token' })
  if (holder) return holder
  if (place !== undefined && wallet === undefined && place > (holders[0]?.winners ?? 0))
    throw new RaffleError('NO_WINNER', { reason: 'place', values: { place } })
  throw nobodysTurn()
}

const nobodysTurn = () => new RaffleError('CLAIM_CLOSED', { reason: 'turn' })
