import { Elysia } from 'elysia'
import type { Address, Hex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { isSignedByKey } from '../../core/event/wallet-proof.ts'
import { type ClaimSession, claimMessage, defaultFormHosts, isFormUrl } from '../../core/prize/claim.ts'
import type { Db } from '../../db/index.ts'
import {
  type Claimable,
  claimPrize,
  expectFreshChain,
  listClaimable,
  type Signed,
} from '../../db/prize/claims.ts'
import { loadAnnouncedPrizes } from '../../db/prize/shown.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { route } from '../http/route.ts'
import { type MessageCall, messageNonces, notAsked, signedMessages } from '../http/signed-messages.ts'
import { eventInPath } from '../http/values.ts'
import { claimCodes } from './claim-code.ts'
import { checkedClaim, claimBody, claimCheckBody, claimCode, claimQuery, claimText } from './schema.ts'

type ClaimDeps = Pick<Deps, 'db' | 'jobs' | 'admin' | 'allowedOrigins' | 'addresses' | 'isDevelopment'>

/**
 * The holder of a prize signs with his wallet that he claims it and gets a code for the form; the administrator checks the
 * code, which names its place.
 */
export const claimRoutes = (deps: ClaimDeps, guard: AdminGuard) => {
  const { db } = deps
  const { codeFor, isCodeOf } = claimCodes(deps.admin)
  const { formHosts = defaultFormHosts } = deps.admin
  const { nonceFor, isNonceFor } = messageNonces(deps.admin, 'claim messages')
  const messages = signedMessages(deps)

  /**
   * That this is a message of ours for this holder, still good, and signed by him: by his own key, or by his contract, which is
   * asked only where it is one. Throws CLAIM_MISMATCH, CLAIM_EXPIRED, INVALID_VALUE for a signature of somebody else,
   * RPC_UNAVAILABLE where a contract could not be asked.
   */
  async function expectSigned(
    holder: Claimable,
    { message, signature }: { message: string; signature: Hex },
    call: MessageCall,
  ): Promise<Signed> {
    const isOurs = (session: ClaimSession) =>
      isNonceFor(session.nonce, partsOf(holder, session)) && message === claimMessage(holder, session)
    const { nonce } = await messages.expectGood(message, call, isOurs)
    await expectFreshChain(db)
    const wallet = holder.walletAddress.toLowerCase() as Address
    const isOwnKey = await isSignedByKey(wallet, message, signature)
    if (!isOwnKey) {
      if (holder.holderIsContract === false) throw notHis()
      if (holder.holderIsContract === null) throw notAsked()
      await messages.expectContract({ wallet, message, signature }, call, notHis)
    }
    return { wallet, message, signature, nonce, proof: isOwnKey ? 'personal' : 'contract' }
  }

  return new Elysia()
    .get(
      '/api/raffle/claim/:eventNumber',
      ...route(
        {
          about: 'What the holder of a prize signs to claim it',
          more: 'An EIP-4361 message for this site: good once, for ten minutes.',
          params: eventInPath,
          query: claimQuery,
          answer: claimText,
          refusals: ['NO_WINNER', 'CLAIM_CLOSED', 'MISDIRECTED'],
        },
        async ({ params: { eventNumber }, query, ...call }) => {
          const holder = await mustFind(db, { eventNumber, ...query })
          const message = await messages.make(call, (session) =>
            claimMessage(holder, { ...session, nonce: nonceFor(partsOf(holder, session)) }),
          )
          const { walletAddress, place, claimBy, operatorWallet } = holder
          return { walletAddress, message, place, operatorWallet, claimBy: claimBy?.toISOString() ?? null }
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
          refusals: [
            ...(['NO_WINNER', 'MISDIRECTED', 'NOT_FINAL', 'RPC_UNAVAILABLE', 'BUSY'] as const),
            ...(['CLAIM_MISMATCH', 'CLAIM_EXPIRED', 'CLAIM_USED', 'CLAIM_CLOSED'] as const),
          ],
        },
        async ({ body: { eventNumber, place = 1, ...given }, ...call }) => {
          const holder = await mustFind(db, { eventNumber, place })
          await claimPrize(db, { eventNumber, place }, await expectSigned(holder, given, call))
          const { formUrl: url } = holder
          const formUrl = url !== null && isFormUrl(url, formHosts) ? url : null
          return { eventNumber, code: codeFor(holder), formUrl }
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
          // It only reads.
          ...{ own: true, fresh: false },
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

/** What a nonce was made for: it fits nothing else. */
const partsOf = (
  { eventNumber, place, walletAddress }: Claimable,
  { origin, issuedAt }: Omit<ClaimSession, 'nonce'>,
) => ['claim', eventNumber, place, walletAddress.toLowerCase(), origin, issuedAt.getTime()]

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
const notHis = () => new RaffleError('INVALID_VALUE', { reason: 'holder', field: 'signature' })
