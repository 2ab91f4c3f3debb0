import { bls12_381 } from '@noble/curves/bls12-381'
import { bytesToHex, type Hex, hexToBytes, numberToHex, sha256 } from 'viem'
import { signatureDomain } from '../../core/draw/beacon.ts'
import { localBeacon } from '../../core/draw/local-beacon.ts'

/** Its key. */
export const testSecret = 42n

/** The beacon of the secret key 42, which tests sign with; its gap is drand's own. */
export const testBeacon = {
  ...localBeacon(
    '0xac7fa63dfc38bbf3712e27a180391bca4ccabf609c5967a0592eff420b6235f3f2b323051cb099acc3969aca310f7ff4191b2d6db43fafc2c9592f7e5f73981107975d3d92b843891e724dbc9f05b5eee5a3b2b1fc782ede8149f30830b84444',
  ),
  gapSeconds: 60,
}

export function signRound(round: number): Hex {
  const message = hexToBytes(sha256(numberToHex(round, { size: 8 })))
  return bytesToHex(bls12_381.signShortSignature(message, testSecret, { DST: signatureDomain }))
}
