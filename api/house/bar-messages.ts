import type { Address, Hex } from 'viem'
import { addressKeys } from '../../core/address-key.ts'
import { RaffleError } from '../../core/errors.ts'
import { isSignedByKey } from '../../core/event/wallet-proof.ts'
import { type BarTerms, barEnd, barMessage } from '../../core/house/bar.ts'
import { claimMinutes, sessionOf } from '../../core/prize/claim.ts'
import { readClock } from '../../db/clock.ts'
import { expectWalletProof } from '../../db/event/wallet-proofs.ts'
import type { Bar } from '../../db/house/bars.ts'
import type { Deps } from '../deps.ts'
import { askWorkers } from '../http/ask-workers.ts'
import { clientAddress } from '../http/client-address.ts'
import { messageNonces } from '../http/message-nonces.ts'
import type { RouteContext } from '../http/route.ts'
import { expectNamedSite } from '../prize/named-site.ts'
import { siteOrigins } from '../prize/origins.ts'

type Call = Pick<RouteContext, 'request' | 'server'>

/** Clocks of the database's hosts may differ a little. */
const aheadMs = 5_000

/**
 * Messages by which wallets bar themselves, for ten minutes and one site. None has to be noted as used: a break counts from its
 * message, so the same message again says what is known.
 */
export function barMessages({
  db,
  jobs,
  admin,
  ...deps
}: Pick<Deps, 'db' | 'jobs' | 'admin' | 'allowedOrigins' | 'addresses' | 'isDevelopment'>) {
  const { nonceFor, isNonceFor } = messageNonces(admin, 'bar messages')
  const { originOf, isOwn } = siteOrigins(deps)
  const addressOf = clientAddress(deps.addresses)

  /** A new message for this wallet. Nothing is stored. */
  async function make(terms: BarTerms, call: Call): Promise<string> {
    expectNamedSite(deps)
    const issuedAt = new Date(Math.floor(await readClock(db)) * 1000)
    const origin = originOf(call)
    try {
      return barMessage(terms, { origin, issuedAt, nonce: nonceFor(partsOf(terms, origin, issuedAt)) })
    } catch {
      throw new RaffleError('MISDIRECTED', `Nobody can sign a message of ${new URL(origin).host}.`)
    }
  }

  /**
   * That this wallet has signed a message of ours for these days, still good, and until when it bars itself. Throws
   * CLAIM_MISMATCH, CLAIM_EXPIRED, INVALID_VALUE for a signature of somebody else, RPC_UNAVAILABLE where a contract could not be asked.
   */
  async function expectSigned(
    terms: BarTerms,
    { message, signature }: { message: string; signature: Hex },
    call: Call,
  ): Promise<Bar> {
    expectNamedSite(deps)
    const session = sessionOf(message)
    const isOurs =
      session &&
      isOwn(session.origin, call) &&
      isNonceFor(session.nonce, partsOf(terms, session.origin, session.issuedAt)) &&
      message === barMessage(terms, session)
    if (!isOurs)
      throw new RaffleError(
        'CLAIM_MISMATCH',
        'message: it is not one of this site for this wallet and these days. Ask for a new one and sign that.',
        {},
        { field: 'message' },
      )
    const ageMs = (await readClock(db)) * 1000 - session.issuedAt.getTime()
    if (ageMs >= claimMinutes * 60_000 || ageMs < -aheadMs)
      throw new RaffleError('CLAIM_EXPIRED', 'This message is too old. Ask for a new one and sign that.')
    const wallet = terms.walletAddress.toLowerCase() as Address
    if (!(await isSignedByKey(wallet, message, signature)))
      await expectContract({ wallet, message, signature, askedBy: keyOf(call) })
    return { wallet, until: barEnd(session.issuedAt, terms.days), message, signature }
  }

  /** The widest network that one customer has. */
  const keyOf = ({ request, server }: Call): string =>
    addressKeys(addressOf(request, server?.requestIP(request)?.address)).at(-1)?.key as string

  async function expectContract(word: Parameters<typeof expectWalletProof>[1]) {
    await expectWalletProof(db, word, askWorkers(jobs)).catch((error) => {
      if (!(error instanceof RaffleError) || error.code === 'BUSY') throw error
      if (error.code === 'RPC_UNAVAILABLE')
        throw new RaffleError(
          'RPC_UNAVAILABLE',
          'The wallet could not be asked about this signature. Try again in a moment.',
        )
      throw new RaffleError(
        'INVALID_VALUE',
        'signature: it was not made by this wallet.',
        {},
        { field: 'signature' },
      )
    })
  }
  return { make, expectSigned }
}

const partsOf = ({ walletAddress, days, chainId }: BarTerms, origin: string, issuedAt: Date) => [
  walletAddress.toLowerCase(),
  days,
  chainId,
  origin,
  issuedAt.getTime(),
]
