import type { Hex } from 'viem'
import { addressKeys } from '../../core/address-key.ts'
import { RaffleError } from '../../core/errors.ts'
import { isSignedByKey } from '../../core/event/wallet-proof.ts'
import {
  type ClaimPurpose,
  type ClaimTerms,
  claimMessage,
  claimMinutes,
  sessionOf,
} from '../../core/prize/claim.ts'
import { readClock } from '../../db/clock.ts'
import { expectWalletProof } from '../../db/event/wallet-proofs.ts'
import { type Claimable, expectOpen, type Signed } from '../../db/prize/claims.ts'
import type { Deps } from '../deps.ts'
import { askWorkers } from '../http/ask-workers.ts'
import { clientAddress } from '../http/client-address.ts'
import type { RouteContext } from '../http/route.ts'
import { expectNamedSite } from './named-site.ts'
import { claimNonces } from './nonces.ts'
import { siteOrigins } from './origins.ts'

type Call = Pick<RouteContext, 'request' | 'server'>
type Given = { message: string; signature: Hex }

/** Clocks of the database's hosts may differ a little. */
const aheadMs = 5_000

/** Messages that holders sign: made for one purpose, and taken once, by the holder's own key or contract (ERC-1271). */
export function claimMessages({
  db,
  jobs,
  admin,
  ...deps
}: Pick<Deps, 'db' | 'jobs' | 'admin' | 'allowedOrigins' | 'addresses' | 'isDevelopment'>) {
  const { nonceFor, isNonceFor } = claimNonces(admin)
  const { originOf, isOwn } = siteOrigins(deps)
  const addressOf = clientAddress(deps.addresses)

  /** A new message for this holder. Nothing is stored. */
  async function make(purpose: ClaimPurpose, terms: ClaimTerms, call: Call): Promise<string> {
    expectNamedSite(deps)
    const issuedAt = new Date(Math.floor(await readClock(db)) * 1000)
    const origin = originOf(call)
    try {
      return claimMessage(purpose, terms, {
        origin,
        issuedAt,
        nonce: nonceFor({ purpose, ...terms, origin, issuedAt }),
      })
    } catch {
      throw new RaffleError('MISDIRECTED', `Nobody can sign a message of ${new URL(origin).host}.`)
    }
  }

  /**
   * That this is a message of ours for this holder, still good, and signed by him. Throws CLAIM_MISMATCH, CLAIM_EXPIRED,
   * CLAIM_CLOSED where nobody can claim or confirm this, INVALID_VALUE for a signature of somebody else, RPC_UNAVAILABLE where
   * a contract could not be asked.
   */
  async function expectSigned(
    purpose: ClaimPurpose,
    terms: Claimable,
    { message, signature }: Given,
    call: Call,
  ): Promise<Signed> {
    expectNamedSite(deps)
    const session = sessionOf(message)
    const isOurs =
      session &&
      isOwn(session.origin, call) &&
      isNonceFor(session.nonce, { purpose, ...terms, ...session }) &&
      message === claimMessage(purpose, terms, session)
    if (!isOurs) throw mismatch()
    const ageMs = (await readClock(db)) * 1000 - session.issuedAt.getTime()
    if (ageMs >= claimMinutes * 60_000 || ageMs < -aheadMs)
      throw new RaffleError('CLAIM_EXPIRED', 'This message is too old. Ask for a new one and sign that.')
    await expectOpen(db, purpose, terms)
    const wallet = terms.walletAddress.toLowerCase() as Signed['wallet']
    const isOwnKey = await isSignedByKey(wallet, message, signature)
    if (!isOwnKey) {
      expectContractHolder(purpose, terms)
      await expectContract({ wallet, message, signature, askedBy: keyOf(call) })
    }
    const proof = isOwnKey ? 'personal' : 'contract'
    return { wallet, message, signature, nonce: session.nonce, proof }
  }

  /** The widest network that one customer has. */
  const keyOf = ({ request, server }: Call): string =>
    addressKeys(addressOf(request, server?.requestIP(request)?.address)).at(-1)?.key as string

  async function expectContract(word: Parameters<typeof expectWalletProof>[1]) {
    await expectWalletProof(db, word, askWorkers(jobs)).catch((error) => {
      if (!(error instanceof RaffleError)) throw error
      if (error.code === 'BUSY') throw error
      throw error.code === 'RPC_UNAVAILABLE' ? notAsked() : notHis()
    })
  }
  return { make, expectSigned }
}

/** Only a contract is asked, and only where its word still says something new: anybody may post a signature. */
function expectContractHolder(purpose: ClaimPurpose, { holderIsContract, state }: Claimable): void {
  if (holderIsContract === false) throw notHis()
  if (holderIsContract === null) throw notAsked()
  if (state === 'delivered' || (purpose === 'claim' && state === 'shipped'))
    throw new RaffleError('CLAIM_CLOSED', 'This prize is on its way or has come: nothing has to be signed.')
}

const mismatch = () =>
  new RaffleError(
    'CLAIM_MISMATCH',
    'message: it is not one of this site for this event, place and wallet. Ask for a new one and sign that.',
    {},
    { field: 'message' },
  )
const notHis = () =>
  new RaffleError(
    'INVALID_VALUE',
    'signature: it was not made by the wallet whose turn it is.',
    {},
    { field: 'signature' },
  )
const notAsked = () =>
  new RaffleError(
    'RPC_UNAVAILABLE',
    'The wallet could not be asked about this signature. Try again in a moment.',
  )
