import type { ClaimPurpose } from '../../core/prize/claim.ts'
import type { SecretKeys } from '../../core/server/secret-box.ts'
import { messageNonces } from '../http/message-nonces.ts'

/** What a nonce was made for: it fits nothing else. */
export type NonceFor = {
  purpose: ClaimPurpose
  eventNumber: number
  place: number
  walletAddress: string
  origin: string
  issuedAt: Date
}

/** Nonces of the messages of holders. */
export function claimNonces(secretKeys: SecretKeys) {
  const { nonceFor, isNonceFor } = messageNonces(secretKeys, 'claim messages')
  return {
    nonceFor: (about: NonceFor): string => nonceFor(partsOf(about)),
    isNonceFor: (nonce: string, about: NonceFor): boolean => isNonceFor(nonce, partsOf(about)),
  }
}

const partsOf = ({ purpose, eventNumber, place, walletAddress, origin, issuedAt }: NonceFor) => [
  purpose,
  eventNumber,
  place,
  walletAddress.toLowerCase(),
  origin,
  issuedAt.getTime(),
]
