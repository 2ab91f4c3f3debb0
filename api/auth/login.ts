import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { verify } from '@node-rs/argon2'
import { exactKey } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { limit } from '../../core/server/concurrency.ts'
import { hashPassword } from '../../core/server/password.ts'
import type { SecretBox } from '../../core/server/secrets.ts'
import { realClock } from '../../core/server/time.ts'
import { type Admin, findAdmin, lockAdmin, spendOtpStep, spendRecoveryCode } from '../../db/admin/admins.ts'
import { asksSecondFactor } from '../../db/admin/sessions.ts'
import { type Db, readClock } from '../../db/index.ts'
import { tellWrongCode } from '../../db/notify/tell.ts'
import type { Deps } from '../deps.ts'
import { type Caller, sha256Hex } from './caller.ts'
import { otpRow, otpStep, recoveryHash, wrongCode } from './otp.ts'
import { type PasskeyAsk, type PasskeyProof, provesPasskey } from './passkey.ts'

const freeFailures = 3
const maxDelayMs = 2_000
/** Each comparison takes 19 MiB and a core for some milliseconds; one core stays free for the event loop. */
const strangersAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
const maxWaiting = 100

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
type Known = (username: string) => void
type Needed = Pick<Deps, 'db' | 'limits' | 'clock'> & {
  box: SecretBox
  /** Compares a password with its argon2 hash. */
  compare?: (hash: string, password: string) => Promise<boolean>
}

/** Of nobody's password; made before the first login comes. */
let noHash: Promise<string> | undefined

/** A stranger has 10 wrong passwords in 10 minutes; strangers of one account are slowed down together, as a
 * lock would shut out its owner, and have 5 wrong codes in 15 minutes. */
export function authenticator({ db, limits, box, clock = realClock, compare = verify }: Needed) {
  noHash ??= hashPassword(randomBytes(16).toString('hex'))
  const dummy = noHash
  const passwords = limits({ name: 'password', calls: 10, inSeconds: 600, code: 'LOGIN_THROTTLED' })
  const ofAccount = limits({ name: 'account', calls: Number.MAX_SAFE_INTEGER, inSeconds: 600 })
  const codes = limits({ name: 'code', calls: 5, inSeconds: 900, code: 'LOGIN_THROTTLED' })
  const room = {
    maxWaiting,
    refuse: () => new RaffleError('LOGIN_THROTTLED', { data: { retryAfterSeconds: 2 } }),
  }
  const inTurn = { stranger: limit(strangersAtOnce, room), known: limit(1, room) }

  return {
    /** Checks only the password. Throws LOGIN_THROTTLED, INVALID_CREDENTIALS. */
    checkPassword,
    /** Password and, if required, second factor. Also throws OTP_REQUIRED, INVALID_OTP, INVALID_PASSKEY.
     * Calls `known` if the user exists. */
    async authenticate(
      proof: Proof,
      caller: Caller,
      known?: Known,
    ): Promise<{ admin: Admin; secondFactor: SecondFactor }> {
      const admin = await checkPassword(proof, caller, known)
      const isAsked = await asksSecondFactor(db, admin)
      const secondFactor = isAsked ? await checkSecondFactor(admin, proof, caller) : 'none'
      return { admin, secondFactor }
    },
  }

  async function checkPassword(
    { username, password }: Pick<Proof, 'username' | 'password'>,
    caller: Caller,
    known?: Known,
  ): Promise<Admin> {
    const found = await findAdmin(db, username)
    const keys = keysFor(caller, found)
    const isStranger = keys === caller.keys.stranger
    const account = sha256Hex(username.toLowerCase())
    // Counted before and given back after: parallel logins would all have seen a low count.
    await passwords.admitKeys(keys)
    if (isStranger) await slowDown((await ofAccount.admitKeys([exactKey(account)])) - 1)
    const admin = await inTurn[isStranger ? 'stranger' : 'known'](async () => {
      if (found) known?.(found.username)
      // For an unknown user this takes as long as for a wrong password.
      const isRight = await compare(found?.passwordHash ?? (await dummy), password)
      return isRight ? found : undefined
    })
    if (!admin) throw new RaffleError('INVALID_CREDENTIALS')
    await passwords.giveBack(keys)
    if (isStranger) await ofAccount.giveBack([exactKey(account)])
    await expectUnexpired(db, admin)
    return admin
  }

  async function slowDown(failures: number): Promise<void> {
    const delayMs = failures < freeFailures ? 0 : Math.min(125 * 2 ** (failures - freeFailures), maxDelayMs)
    if (delayMs > 0) await clock.sleep(delayMs)
  }

  async function checkSecondFactor(admin: Admin, proof: Proof, caller: Caller): Promise<SecondFactor> {
    if (!proof.passkey && proof.otpCode === undefined && proof.recoveryCode === undefined)
      throw new RaffleError('OTP_REQUIRED')
    const found = await secondFactorOf(admin, proof, caller)
    if (found) return found
    await tellWrongCode(db, admin.username, new Date((await readClock(db)) * 1000))
    if (proof.passkey) throw new RaffleError('INVALID_PASSKEY')
    throw wrongCode()
  }

  /** One of them is looked at; undefined where it is wrong. Throws LOGIN_THROTTLED. */
  async function secondFactorOf(
    admin: Admin,
    { otpCode, recoveryCode = '', passkey }: Proof,
    caller: Caller,
  ): Promise<SecondFactor | undefined> {
    const { id } = admin
    if (passkey) {
      // A challenge is spent by a wrong answer, too.
      const ask = { ...passkey.ask, adminId: id }
      return (await db.transaction((tx) => provesPasskey(tx, ask, passkey.proof))) ? 'passkey' : undefined
    }
    if (otpCode === undefined)
      return (await spendRecoveryCode(db, id, recoveryHash(recoveryCode))) ? 'recovery' : undefined
    const known = keysFor(caller, admin)
    const own = known === caller.keys.stranger ? [exactKey(`strangers:${id}`)] : known
    await codes.admitKeys(own)
    if (!(await db.transaction((tx) => spendCode(tx, id, otpCode)))) return undefined
    await codes.giveBack(own)
    return 'totp'
  }

  /** Codes of one administrator are checked one after the other, so each counts once. */
  async function spendCode(tx: Db, id: number, code: string): Promise<boolean> {
    const admin = await lockAdmin(tx, id)
    const secret = admin?.otpConfirmedAt && admin.otpSecret && box.open(admin.otpSecret, otpRow(id))
    const step = secret ? await otpStep(tx, secret, code) : undefined
    return step !== undefined && spendOtpStep(tx, id, step)
  }
}

/** A session or browser is known for its own account alone: else whoever has one account had free tries at all others. */
const keysFor = ({ of, keys }: Caller, admin: Admin | undefined) =>
  admin && of.includes(admin.id) ? keys.own : keys.stranger

/** Only who has the right password learns that it is no longer good. */
async function expectUnexpired(db: Db, { oneTimeUntil }: Admin): Promise<void> {
  if (oneTimeUntil === null || (await readClock(db)) * 1000 < oneTimeUntil.getTime()) return
  throw new RaffleError('PASSWORD_CHANGE_REQUIRED', { reason: 'expired' })
}

export type Authenticator = ReturnType<typeof authenticator>
