import { RaffleError } from '../../core/errors.ts'
import type { SecretBox } from '../../core/server/secret-box.ts'
import { type Clock, realClock } from '../../core/server/time.ts'
import { type Admin, lockAdmin } from '../../db/admin/admins.ts'
import {
  countLoginFailures,
  countOtpFailures,
  findAdminAndFailures,
  forgetLoginFailures,
  noteLoginFailure,
  spendOtpStep,
  spendRecoveryCode,
} from '../../db/admin/logins.ts'
import { hasPasskey } from '../../db/admin/passkeys.ts'
import { getSettings } from '../../db/admin/settings.ts'
import { readClock } from '../../db/clock.ts'
import type { Db } from '../../db/index.ts'
import type { Caller } from './caller.ts'
import { otpRow, otpStep, recoveryHash } from './otp.ts'
import { type PasskeyAsk, type PasskeyProof, provesPasskey } from './passkey.ts'
import { type PasswordCheck, throttled } from './password-check.ts'
import { sha256Hex } from './token.ts'

const addressLimit = 10
const otpLimit = 5
const freeFailures = 3
const maxDelayMs = 2_000
/** Before all strangers. */
const knownRank = -1

export type Proof = {
  username: string
  password: string
  otpCode?: string | undefined
  recoveryCode?: string | undefined
  /** In place of a code; `ask` is what the challenge has to have been asked for. */
  passkey?: { proof: PasskeyProof; ask: Omit<PasskeyAsk, 'adminId'> } | undefined
}
/** What was really checked besides the password, whatever was sent. */
export type SecondFactor = 'none' | 'totp' | 'recovery' | 'passkey'
type PasswordProof = Pick<Proof, 'username' | 'password'>
type Known = (username: string) => void
type Deps = { db: Db; comparePassword: PasswordCheck; box: SecretBox; clock?: Clock | undefined }

/**
 * Checks the password first and the second factor only after it. Every failure is counted in the database, so
 * the counts hold across processes and restarts: 10 in 10 minutes block an address, more for a /56 and a /48. For
 * strangers an account is only slowed down (a lock would shut out the only administrator). After 5 wrong codes an
 * account waits 15 minutes. Who is known by his session or device is counted by it alone.
 */
export function authenticator({ db, comparePassword, box, clock = realClock }: Deps) {
  return {
    /** Checks only the password. Throws LOGIN_THROTTLED, INVALID_CREDENTIALS. */
    checkPassword: async (proof: PasswordProof, caller: Caller, known?: Known): Promise<Admin> =>
      (await withPassword(proof, caller, known)).admin,
    /**
     * Password and, if required, second factor. Also throws OTP_REQUIRED, INVALID_OTP, INVALID_PASSKEY. Calls `known`
     * if the user exists.
     */
    async authenticate(
      proof: Proof,
      caller: Caller,
      known?: Known,
    ): Promise<{ admin: Admin; secondFactor: SecondFactor }> {
      const { admin, hadFailures } = await withPassword(proof, caller, known)
      const key = ownKey(caller)
      const account = accountOf(proof)
      let secondFactor: SecondFactor = 'none'
      const hasSecond = admin.otpConfirmedAt !== null || (await hasPasskey(db, admin.id))
      if (hasSecond && (await getSettings(db)).requireOtp) {
        const checked = await db.transaction((tx) => checkSecondFactor(tx, admin.id, proof, key, account))
        if (checked instanceof RaffleError) throw checked
        secondFactor = checked
      }
      if (hadFailures) await forgetLoginFailures(db, key, account)
      return { admin, secondFactor }
    },
  }

  async function withPassword(
    proof: PasswordProof,
    caller: Caller,
    known?: Known,
  ): Promise<{ admin: Admin; hadFailures: boolean }> {
    const { keys } = caller
    const account = accountOf(proof)
    const { ofKeys, accountFailures } = await countLoginFailures(db, keys, account)
    const failures = expectFew(ofKeys)
    const isStranger = caller.knownBy === 'stranger'
    await slowDown(isStranger ? accountFailures : failures)
    let hadFailures = false
    const found = await comparePassword(proof.password, {
      who: keys.at(-1)?.key ?? '',
      rank: isStranger ? failures : knownRank,
      // Failures are counted again inside the slot: parallel logins would all have seen a low count.
      find: async () => {
        const { admin, ofKeys } = await findAdminAndFailures(db, proof.username, keys)
        hadFailures = expectFew(ofKeys) > 0
        if (admin) known?.(admin.username)
        return admin
      },
      failed: () => noteLoginFailure(db, { kind: 'password', clientAddress: ownKey(caller), account }),
    })
    if (found) {
      await expectUnexpired(db, found)
      return { admin: found, hadFailures }
    }
    throw new RaffleError('INVALID_CREDENTIALS', '사용자명 또는 비밀번호가 올바르지 않습니다.')
  }

  async function slowDown(failures: number): Promise<void> {
    const delayMs = failures < freeFailures ? 0 : Math.min(125 * 2 ** (failures - freeFailures), maxDelayMs)
    if (delayMs > 0) await clock.sleep(delayMs)
  }

  /** Returns the refusal instead of throwing it: the failure row must be committed. */
  async function checkSecondFactor(
    tx: Db,
    id: number,
    { otpCode, recoveryCode, passkey }: Proof,
    clientAddress: string,
    account: string,
  ): Promise<RaffleError | SecondFactor> {
    const admin = await lockAdmin(tx, id)
    const otpSecret = admin?.otpConfirmedAt ? admin.otpSecret : null
    // Taken away since the look before the lock.
    if (!otpSecret && !(await hasPasskey(tx, id))) return 'none'
    const { failures, waitSeconds } = await countOtpFailures(tx, id)
    if (failures >= otpLimit) return throttled(waitSeconds)
    if (otpCode === undefined && recoveryCode === undefined && passkey === undefined)
      return new RaffleError('OTP_REQUIRED', '2차 인증 코드를 입력하세요.')
    // One of them is looked at, and wrong ones of each kind count alike.
    const kind = passkey ? 'passkey' : otpCode === undefined ? 'recovery' : 'totp'
    const isRight = passkey
      ? await provesPasskey(tx, { ...passkey.ask, adminId: id }, passkey.proof)
      : otpCode === undefined
        ? await spendRecoveryCode(tx, id, recoveryHash(recoveryCode ?? ''))
        : otpSecret !== null && (await spendCode(tx, id, otpSecret, otpCode))
    if (isRight) return kind
    await noteLoginFailure(tx, { kind: 'otp', clientAddress, adminId: id, account })
    return kind === 'passkey'
      ? new RaffleError('INVALID_PASSKEY', '패스키를 확인하지 못했습니다. 다시 시도하세요.')
      : new RaffleError('INVALID_OTP', '잘못된 인증 코드입니다. 다시 시도하세요.')
  }

  async function spendCode(tx: Db, id: number, sealed: Uint8Array, code: string): Promise<boolean> {
    const secret = box.open(sealed, otpRow(id))
    const step = secret && (await otpStep(tx, secret, code))
    return step !== undefined && spendOtpStep(tx, id, step)
  }
}

/** The failures of the widest key. Throws LOGIN_THROTTLED when one has too many. */
function expectFew(ofKeys: readonly { times: number; failures: number; waitSeconds: number }[]): number {
  for (const { times, failures, waitSeconds } of ofKeys)
    if (failures >= addressLimit * times) throw throttled(waitSeconds)
  return Math.max(0, ...ofKeys.map(({ failures }) => failures))
}

/** The narrowest one, under which a failure is noted: the wider ones begin with it. */
const ownKey = ({ keys }: Caller): string => keys[0]?.key ?? ''

/** Only who has the right password learns that it is no longer good. */
async function expectUnexpired(db: Db, { oneTimeUntil }: Admin): Promise<void> {
  if (oneTimeUntil === null || (await readClock(db)) * 1000 < oneTimeUntil.getTime()) return
  throw new RaffleError(
    'PASSWORD_CHANGE_REQUIRED',
    '일회용 비밀번호의 유효 시간(24시간)이 지났습니다. 서버에서 admin reset-password 명령으로 새로 만드세요.',
  )
}

const accountOf = ({ username }: Pick<Proof, 'username'>): string => sha256Hex(username.toLowerCase())

export type Authenticator = ReturnType<typeof authenticator>
