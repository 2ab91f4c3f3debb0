import type { Address, Hex } from 'viem'
import { addressKeys } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { type ClaimSession, claimMinutes, sessionOf } from '../../core/prize/claim.ts'
import { expectWalletProof } from '../../db/event/wallet-proofs.ts'
import { readClock } from '../../db/index.ts'
import type { Deps } from '../deps.ts'
import { askWorkers } from './ask-workers.ts'
import { clientAddress } from './client-address.ts'
import { expectNamedSite } from './named-site.ts'
import type { RouteContext } from './route.ts'
import { siteOrigins } from './site-origins.ts'

export type MessageCall = Pick<RouteContext, 'request' | 'server'>
export type MessageDeps = Pick<
  Deps,
  'db' | 'jobs' | 'admin' | 'allowedOrigins' | 'addresses' | 'isDevelopment'
>
type SignedText = { wallet: Address; message: string; signature: Hex }

/** Clocks of the database's hosts may differ a little. */
const aheadMs = 5_000

/** What the messages have in common that wallets sign for this site: the site, ten minutes, and a contract that may have signed. */
export function signedMessages({ db, jobs, ...deps }: MessageDeps) {
  const { originOf, isOwn } = siteOrigins(deps)
  const addressOf = clientAddress(deps.addresses)
  /** The widest network that one customer has. */
  const keyOf = ({ request, server }: MessageCall): string =>
    addressKeys(addressOf(request, server?.requestIP(request)?.address)).at(-1)?.key as string

  return {
    /** A new message, as `write` makes it for its site and moment. Nothing is stored. Throws MISDIRECTED. */
    async make(call: MessageCall, write: (session: Omit<ClaimSession, 'nonce'>) => string): Promise<string> {
      expectNamedSite(deps)
      const issuedAt = new Date(Math.floor(await readClock(db)) * 1000)
      const origin = originOf(call)
      try {
        return write({ origin, issuedAt })
      } catch {
        throw new RaffleError('MISDIRECTED', `Nobody can sign a message of ${new URL(origin).host}.`)
      }
    },

    /**
     * The session of a message that was made here and is still good; `isOurs` compares it word by word, and `about` says what it
     * should have been for. Throws CLAIM_MISMATCH, CLAIM_EXPIRED.
     */
    async expectGood(
      message: string,
      call: MessageCall,
      { isOurs, about }: { isOurs: (session: ClaimSession) => boolean; about: string },
    ): Promise<ClaimSession> {
      expectNamedSite(deps)
      const session = sessionOf(message)
      if (!session || !isOwn(session.origin, call) || !isOurs(session))
        throw new RaffleError(
          'CLAIM_MISMATCH',
          `message: it is not one of this site for ${about}. Ask for a new one and sign that.`,
          {},
          { field: 'message' },
        )
      const ageMs = (await readClock(db)) * 1000 - session.issuedAt.getTime()
      if (ageMs >= claimMinutes * 60_000 || ageMs < -aheadMs)
        throw new RaffleError('CLAIM_EXPIRED', 'This message is too old. Ask for a new one and sign that.')
      return session
    },

    /** That the wallet's contract knows the signature (ERC-1271), which a worker asks. Throws `other` if not, BUSY, RPC_UNAVAILABLE. */
    async expectContract(text: SignedText, call: MessageCall, other: () => RaffleError): Promise<void> {
      await expectWalletProof(db, { ...text, askedBy: keyOf(call) }, askWorkers(jobs)).catch((error) => {
        if (!(error instanceof RaffleError) || error.code === 'BUSY') throw error
        throw error.code === 'RPC_UNAVAILABLE' ? notAsked() : other()
      })
    },
  }
}

/** The signature was not made by `whom`. */
export const notSigned = (whom: string) => {
  const text = `signature: it was not made by ${whom}.`
  return new RaffleError('INVALID_VALUE', text, {}, { field: 'signature' })
}

export const notAsked = () =>
  new RaffleError(
    'RPC_UNAVAILABLE',
    'The wallet could not be asked about this signature. Try again in a moment.',
  )
