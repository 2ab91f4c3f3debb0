import { addressKey } from '../../core/address-key.ts'
import { RaffleError } from '../../core/errors.ts'
import type { SecretBox } from '../../core/server/secret-box.ts'
import { getPendingOtp, lockAdmin } from '../../db/admin/admins.ts'
import { countOtpFailures, noteLoginFailure } from '../../db/admin/logins.ts'
import type { Db } from '../../db/index.ts'
import { otpRow, otpStep } from './otp.ts'
import { throttled } from './password-check.ts'

const triesPerWait = 5

type Caller = { adminId: number; clientAddress: string }

/**
 * Checks the first code of a new second factor; five wrong ones make this administrator wait 15 minutes, and do not
 * stand in the way of a login. A transaction of its own, as a failure must be kept. Throws OTP_NOT_SET_UP,
 * LOGIN_THROTTLED, INVALID_OTP.
 */
export async function checkFirstCode(
  db: Db,
  box: SecretBox,
  code: string,
  { adminId, clientAddress }: Caller,
): Promise<void> {
  const refusal = await db.transaction(async (tx) => {
    // Guesses at the same time are counted one after the other.
    await lockAdmin(tx, adminId)
    const { failures, waitSeconds } = await countOtpFailures(tx, adminId, 'enrol')
    if (failures >= triesPerWait) return throttled(waitSeconds)
    const { step } = await readPending(tx, box, adminId, code)
    if (step !== undefined) return undefined
    await noteLoginFailure(tx, { kind: 'enrol', clientAddress: addressKey(clientAddress), adminId })
    return wrongCode()
  })
  if (refusal) throw refusal
}

/** The secret that waits for its first code, as it is stored, and that code's time step. Throws as checkFirstCode. */
export async function firstCode(tx: Db, box: SecretBox, adminId: number, code: string) {
  const { otpSecret, step } = await readPending(tx, box, adminId, code)
  if (step === undefined) throw wrongCode()
  return { otpSecret, step }
}

async function readPending(tx: Db, box: SecretBox, adminId: number, code: string) {
  const otpSecret = await getPendingOtp(tx, adminId)
  const pending = otpSecret && box.open(otpSecret, otpRow(adminId))
  if (!otpSecret || !pending) throw new RaffleError('OTP_NOT_SET_UP', '먼저 OTP 설정을 시작해주세요.')
  return { otpSecret, step: await otpStep(tx, pending, code) }
}

const wrongCode = () => new RaffleError('INVALID_OTP', '잘못된 인증 코드입니다. 다시 시도하세요.')
