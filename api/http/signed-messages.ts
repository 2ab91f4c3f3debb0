import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { addressKeys } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { type ClaimSession, claimMinutes, sessionOf } from '../../core/prize/claim.ts'
import { deriveKeys, type SecretKeys } from '../../core/server/secrets.ts'
import { expectWalletProof } from '../../db/event/wallet-proofs.ts'
import { readClock } from '../../db/index.ts'
import type { Deps } from '../deps.ts'
import { clientAddress } from './client-address.ts'
import type { RouteContext } from './route.ts'
import { expectNamedSite, siteOrigins } from './site-origins.ts'

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
        throw new RaffleError('MISDIRECTED', { reason: 'message', values: { host: new URL(origin).host } })
      }
    },

    /**
     * The session of a message that was made here and is still good; `isOurs` compares it word by word. Throws CLAIM_MISMATCH, CLAIM_EXPIRED.
     */
    async expectGood(
      message: string,
      call: MessageCall,
      isOurs: (session: ClaimSession) => boolean,
    ): Promise<ClaimSession> {
      expectNamedSite(deps)
      const session = sessionOf(message)
      if (!session || !isOwn(session.origin, call) || !isOurs(session))
        throw new RaffleError('CLAIM_MISMATCH', { field: 'message' })
      const ageMs = (await readClock(db)) * 1000 - session.issuedAt.getTime()
      if (ageMs >= claimMinutes * 60_000 || ageMs < -aheadMs) throw new RaffleError('CLAIM_EXPIRED')
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

export const notAsked = () => new RaffleError('RPC_UNAVAILABLE', { reason: 'signature' })

/** Calls a worker to a signature that only a contract can judge; the sweeper would find it too, later. */
export const askWorkers = (jobs: Deps['jobs']) => (id: number) =>
  void jobs.enqueue('watch-refunds', {}, { jobId: `watch-refunds-proof-${id}` })

const randomLength = 24
const macLength = 32

/**
 * Nonces of messages that wallets sign: a random part, and an HMAC over it and all that the message is for (`about`). So each
 * process knows every nonce that another has made, and asking for one stores nothing; that none is taken twice, where it matters,
 * is up to the database. `purpose` gives each kind of message keys of its own.
 */
export function messageNonces(secretKeys: SecretKeys, purpose: string) {
  const keys = deriveKeys(secretKeys, purpose)
  const macOf = (key: Buffer, random: string, about: readonly (string | number)[]): string =>
    createHmac('sha256', key)
      .update([random, ...about].join(' '))
      .digest('hex')
      .slice(0, macLength)

  return {
    nonceFor(about: readonly (string | number)[]): string {
      const random = randomBytes(randomLength / 2).toString('hex')
      return `${random}${macOf(keys[0], random, about)}`
    },
    isNonceFor(nonce: string, about: readonly (string | number)[]): boolean {
      const given = Buffer.from(nonce.slice(randomLength))
      return keys.some((key) => {
        const right = Buffer.from(macOf(key, nonce.slice(0, randomLength), about))
        return given.length === right.length && timingSafeEqual(given, right)
      })
    },
  }
}
