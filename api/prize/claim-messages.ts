import { randomBytes } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { addressKeys } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { isSignedByKey } from '../../core/event/wallet-proof.ts'
import {
  type ClaimSession,
  type ClaimTerms,
  claimMessage,
  claimMinutes,
  normalizeClaimCode,
  sessionOf,
} from '../../core/prize/claim.ts'
import { type SecretKeys, signer } from '../../core/server/secrets.ts'
import { expectWalletProof } from '../../db/event/wallet-proofs.ts'
import { readClock } from '../../db/index.ts'
import { type Claimable, expectFreshChain, type Signed } from '../../db/prize/claims.ts'
import type { Deps } from '../deps.ts'
import { type Call, visitors } from '../http/client-address.ts'
import { siteOrigins } from '../http/origin.ts'

/** Clocks of the database's hosts may differ a little. */
const aheadMs = 5_000

/** What the holder of a prize signs to claim it: for this site, good for ten minutes. */
export function claimMessages({ db, jobs, admin, ...deps }: Deps) {
  const { originOf, isOwn } = siteOrigins(deps)
  const { addressOf } = visitors(deps.addresses)
  const { nonceFor, isNonceFor } = claimNonces(admin)

  return {
    /** A new message; nothing is stored. Throws MISDIRECTED. */
    async make(holder: Claimable, call: Call): Promise<string> {
      const origin = originOf(call)
      const session = { origin, issuedAt: new Date(Math.floor(await readClock(db)) * 1000) }
      try {
        return claimMessage(holder, { ...session, nonce: nonceFor(partsOf(holder, session)) })
      } catch {
        throw new RaffleError('MISDIRECTED', { reason: 'message', values: { host: new URL(origin).host } })
      }
    },

    /** That this message is ours, still good, and signed by his key or his contract (ERC-1271). Throws
     * CLAIM_MISMATCH, CLAIM_EXPIRED, INVALID_VALUE, BUSY, RPC_UNAVAILABLE. */
    async expectSigned(
      holder: Claimable,
      { message, signature }: { message: string; signature: Hex },
      call: Call,
    ): Promise<Signed> {
      const session = sessionOf(message)
      const isHere = isOwn(session?.origin ?? '', call)
      const isOurs =
        session &&
        isHere &&
        isNonceFor(session.nonce, partsOf(holder, session)) &&
        message === claimMessage(holder, session)
      if (!isOurs) throw new RaffleError('CLAIM_MISMATCH', { field: 'message' })
      const ageMs = (await readClock(db)) * 1000 - session.issuedAt.getTime()
      if (ageMs >= claimMinutes * 60_000 || ageMs < -aheadMs) throw new RaffleError('CLAIM_EXPIRED')
      await expectFreshChain(db)
      const wallet = holder.walletAddress.toLowerCase() as Address
      const signed = { wallet, message, signature, nonce: session.nonce }
      if (await isSignedByKey(wallet, message, signature)) return { ...signed, proof: 'personal' }
      if (holder.holderIsContract === false) throw notHis()
      if (holder.holderIsContract === null) throw notAsked()
      // The widest network that one customer has.
      const askedBy = addressKeys(addressOf(call)).at(-1)?.key as string
      await expectWalletProof(db, { wallet, message, signature, askedBy }, askWorkers(jobs)).catch(
        (error) => {
          if (!(error instanceof RaffleError) || error.code === 'BUSY') throw error
          throw error.code === 'RPC_UNAVAILABLE' ? notAsked() : notHis()
        },
      )
      return { ...signed, proof: 'contract' }
    },
  }
}

const notAsked = () => new RaffleError('RPC_UNAVAILABLE', { reason: 'signature' })
const notHis = () => new RaffleError('INVALID_VALUE', { reason: 'holder', field: 'signature' })

/** Calls a worker to a signature that only a contract can judge; the sweeper would find it too, later. */
export const askWorkers = (jobs: Deps['jobs']) => (id: number) =>
  void jobs.enqueue('watch-refunds', {}, { jobId: `watch-refunds-proof-${id}` })

/** What a nonce was made for: it fits nothing else. */
const partsOf = (
  { eventNumber, place, walletAddress }: Claimable,
  { origin, issuedAt }: Omit<ClaimSession, 'nonce'>,
) => ['claim', eventNumber, place, walletAddress.toLowerCase(), origin, issuedAt.getTime()]

const randomLength = 24

/** A random part and an HMAC over it and all that the message is for: each process knows every nonce, and
 * nothing is stored until it is used. @internal */
export function claimNonces(keys: SecretKeys) {
  const { sign, isSigned } = signer(keys, 'claim messages', (mac) => mac.toString('hex').slice(0, 32))
  return {
    nonceFor(parts: readonly (string | number)[]): string {
      const random = randomBytes(randomLength / 2).toString('hex')
      return `${random}${sign([random, ...parts].join(' '))}`
    },
    isNonceFor(nonce: string, parts: readonly (string | number)[]): boolean {
      const random = nonce.slice(0, randomLength)
      return isSigned([random, ...parts].join(' '), nonce.slice(randomLength))
    },
  }
}

type Winner = Pick<ClaimTerms, 'eventNumber' | 'place' | 'walletAddress'>

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A winner's code for the shipping form, bound to his place: 80 bits derived from SECRET_KEY, or from the
 * key before it while that is named. */
export function claimCodes(keys: SecretKeys) {
  const { sign, isSigned } = signer(keys, 'winner claim codes', (mac) => {
    let bits = BigInt(`0x${mac.subarray(0, 10).toString('hex')}`)
    let code = ''
    for (let i = 0; i < 16; i++, bits >>= 5n) code = `${digits[Number(bits & 31n)]}${code}`
    return normalizeClaimCode(code)
  })
  const textOf = ({ eventNumber, place, walletAddress }: Winner): string =>
    `${eventNumber} ${place} ${walletAddress.toLowerCase()}`
  return {
    codeFor: (winner: Winner): string => sign(textOf(winner)),
    isCodeOf: (code: string, winner: Winner): boolean => isSigned(textOf(winner), normalizeClaimCode(code)),
  }
}
