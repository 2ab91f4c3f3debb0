import { concat, type Hex, numberToHex, sha256, stringToHex } from 'viem'
import type { Entropy } from '../event/event.ts'

/** A drand network of the scheme `bls-unchained-g1-rfc9380`: its rounds are signatures that nobody knows before their time. */
export type BeaconNetwork = {
  name: 'quicknet' | 'blockdraw-local'
  /** Commits to the key and all other parameters, see `chainHashOf`. */
  chainHash: Hex
  /** 96 bytes on G2. */
  publicKey: Hex
  /** When round 1 is due, in Unix seconds. */
  genesis: number
  /** Seconds from one round to the next. */
  period: number
  /** A draw takes a round that is due so many seconds after the draw date at least. */
  gapSeconds: number
}

/** drand's network. Key and chain hash are pinned here: no variable changes them. */
export const quicknet: BeaconNetwork = {
  name: 'quicknet',
  chainHash: '0x52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '0x83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesis: 1_692_803_367,
  period: 3,
  gapSeconds: 60,
}

/** The block D+32 lies in a later validator's turn than D; the beacon comes after its time. */
export const beaconDepth = 32
/** So many days after its time a round is lost where a later one is known, and it is not. */
export const beaconLostDays = 7

/** When drand makes its last round, once it has announced its end; undefined today. */
const beaconKnownUntil: Date | undefined = undefined

/** The network may be gone by the draw date of an event that mixes it in: administrators are warned while they can move it. */
export const outlivesBeacon = (
  { entropy, drawDate }: { entropy: Entropy; drawDate: Date | undefined },
  knownUntil: Date | undefined = beaconKnownUntil,
): boolean =>
  entropy !== 'blocks' && drawDate !== undefined && knownUntil !== undefined && drawDate >= knownUntil

/** Where drand answers. Couriers, not witnesses: what they bring is verified. */
export const drandRelays = [
  'https://api.drand.sh',
  'https://api2.drand.sh',
  'https://api3.drand.sh',
  'https://drand.cloudflare.com',
  'https://api.drand.secureweb3.com:6875',
] as const

/** The first that is due at `time` (Unix seconds) or later. @internal */
export const firstRound = (time: number, { genesis, period }: BeaconNetwork): number =>
  time <= genesis ? 1 : Math.ceil((time - genesis) / period) + 1

/** When a round is due, in Unix seconds. */
export const roundTime = (round: number, { genesis, period }: BeaconNetwork): number =>
  genesis + (round - 1) * period

/** In Unix seconds; `timeAfter`, the time of block D+32, rules only where the chain was slow. Null: what is expected. */
export const beaconRoundOf = (drawDate: number, timeAfter: number | null, network: BeaconNetwork): number =>
  firstRound(Math.max(drawDate + network.gapSeconds, timeAfter === null ? 0 : timeAfter + 1), network)

export const randomnessOf = (signature: Hex): Hex => sha256(signature)

/** A signature as it is handed in: 48 bytes in hexadecimal, with or without 0x; in lower case with it. Undefined for anything else. */
export function parseSignature(text: unknown): Hex | undefined {
  const match = typeof text === 'string' ? /^(?:0x)?([0-9a-f]{96})$/i.exec(text) : null
  return match ? `0x${(match[1] as string).toLowerCase()}` : undefined
}

/** Of SHA-256(round as 8 bytes, big-endian). Takes 60 to 150 ms; the curve's code is loaded with the first. */
export async function isSignatureOf(
  signature: Hex,
  round: number,
  { publicKey }: Pick<BeaconNetwork, 'publicKey'>,
): Promise<boolean> {
  const { bls12_381 } = await import('@noble/curves/bls12-381')
  const message = sha256(numberToHex(round, { size: 8 }))
  try {
    // The library takes a coordinate modulo the prime. One beyond it would be a second form of the same point with
    // another SHA-256, and whoever hands the signature in would choose between two results.
    if ((BigInt(signature) & coordinateBits) >= bls12_381.fields.Fp.ORDER) return false
    return bls12_381.verifyShortSignature(signature.slice(2), message.slice(2), publicKey.slice(2), {
      DST: signatureDomain,
    })
  } catch {
    // No point of the curve, or outside its subgroup.
    return false
  }
}

/** Of the 48 bytes, all but the three flags before the coordinate. */
const coordinateBits = 2n ** 381n - 1n

export const signatureDomain = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

/** SHA-256(period ‖ genesis ‖ key ‖ genesis seed ‖ name): shows that the constants belong together. */
export const chainHashOf = (
  { period, genesis, publicKey, name }: Omit<BeaconNetwork, 'chainHash'>,
  genesisSeed: Hex,
): Hex =>
  sha256(
    concat([
      numberToHex(period, { size: 4 }),
      numberToHex(genesis, { size: 8 }),
      publicKey,
      genesisSeed,
      stringToHex(name),
    ]),
  )
