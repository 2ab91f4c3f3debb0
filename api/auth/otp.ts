import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { RaffleError } from '../../core/errors.ts'
import { typedCode } from '../../core/typed-code.ts'
import { type Db, readClock } from '../../db/index.ts'
import { sha256Hex } from './caller.ts'

const periodSeconds = 30

const totpOf = (secret: Uint8Array, named: { issuer?: string; label?: string } = {}) =>
  new TOTP({
    ...named,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  })

/** The context a sealed secret is bound to: copied into another row it does not open. */
export const otpRow = (adminId: number): string => `otp ${adminId}`

/** 160 random bits, as the standard (RFC 4226) recommends. */
export const newOtpSecret = (): Buffer => randomBytes(20)

export function describeOtp(
  secret: Uint8Array,
  issuer: string,
  label: string,
): { secret: string; qrCode: string } {
  const totp = totpOf(secret, { issuer, label })
  const svg = renderSVG(totp.toString(), { ecc: 'M', border: 2 })
  return { secret: totp.secret.base32, qrCode: `data:image/svg+xml;base64,${btoa(svg)}` }
}

/** The time step of a code by the database's clock, at most one step off; undefined for a wrong code. */
export async function otpStep(db: Db, secret: Uint8Array, code: string): Promise<number | undefined> {
  const seconds = await readClock(db)
  const delta = totpOf(secret).validate({ token: code, window: 1, timestamp: seconds * 1000 })
  return delta === null ? undefined : Math.floor(seconds / periodSeconds) + delta
}

/** Ten codes of 80 bits in base32, for the administrator to write down; only their hashes are stored. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: 10 }, () =>
    (new Secret({ size: 10 }).base32.match(/.{4}/g) ?? []).join('-'),
  )
  return { codes, hashes: codes.map(recoveryHash) }
}

/** Hash of a recovery code in any spelling: case, width, dashes and spaces do not matter. */
export const recoveryHash = (code: string): string =>
  sha256Hex(
    typedCode(code)
      .toUpperCase()
      .replaceAll(/[^A-Z2-7]/g, ''),
  )

export const wrongCode = () => new RaffleError('INVALID_OTP')
