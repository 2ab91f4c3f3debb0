import { hostname, userInfo } from 'node:os'
import { resolve } from 'node:path'
import { rotateKey } from '../../api/auth/rotate-key.ts'
import { isListed, toListEntry } from '../../core/address-list.ts'
import en from '../../core/error-texts/en.json'
import { errorSentence, RaffleError } from '../../core/errors.ts'
import { EnvError, readEnv } from '../../core/server/env.ts'
import { hashPassword, oneTimePassword, printedPassword } from '../../core/server/password.ts'
import type { SecretKeys } from '../../core/server/secrets.ts'
import { type Admin, changeCredentials, createAdmin, findAdmin, removeOtp } from '../../db/admin/admins.ts'
import { revokeSessions } from '../../db/admin/sessions.ts'
import { addAudit, getSettings, saveSettings } from '../../db/admin/settings.ts'
import { stopSale } from '../../db/event/sale.ts'
import { connect, type Db } from '../../db/index.ts'
import { tellAudited } from '../../db/notify/tell.ts'
import { StartProblem } from '../local/child.ts'
import { localDatabaseUrl } from '../local/postgres.ts'
import { command as printed } from '../local/progress.ts'
import { afterRestore, answersOf, CliRefusal as Refusal } from './after-restore.ts'

const usage = `${printed('admin')} <command>

  create NAME [--read-only]
                        a new administrator; prints a one-time password, good for 24 hours
  reset-password NAME   a new one-time password, good for 24 hours; ends the sessions
  reset-otp NAME        the next login asks for the password alone
  allow-ip ADDRESS      adds an address or range to the list; --all empties the list
  rotate-key            encrypts with SECRET_KEY what SECRET_KEY_OLD has encrypted
  stop-sale             ends the running sale into refund mode, in public
  after-restore [--terms LINE] [--wallet EVENT=0x…] [--ending EVENT=none|drawn|refunds:stopped|refunds:ledger] [--confirm]
                        says what a restored database lacks of what the chain knows; opens the house once it lacks nothing

Works on DATABASE_URL, else on the database of a running \`${printed('start')}\`.
Each command that changes something is audited.`

type Done = { text: string; before?: unknown; after?: unknown }
type Command = {
  /** Whether these words may follow the name. */
  takes: (words: readonly string[]) => boolean
  /** False for what only reads, or adds its row itself: `db` is then no transaction, either. */
  noted?: false
  run: (db: Db, words: readonly string[], place: Place) => Promise<Done>
}
/** A trial on this machine keeps the passwords that it prints. */
type Place = { isLocal?: boolean; keys?: { [K in keyof SecretKeys]?: string | undefined } }
const one = ({ length }: readonly string[]) => length === 1
const newAdmin = ({ length, 1: option }: readonly string[]) =>
  length === 1 || (length === 2 && option === '--read-only')
const none = ({ length }: readonly string[]) => length === 0

const commands: Record<string, Command> = {
  create: { takes: newAdmin, run: create },
  'reset-password': { takes: one, run: resetPassword },
  'reset-otp': { takes: one, run: resetOtp },
  'allow-ip': { takes: one, run: allowIp },
  'rotate-key': { takes: none, run: rotate },
  'stop-sale': { takes: none, run: stop },
  'after-restore': {
    takes: (words) => answersOf(words) !== undefined,
    run: (db, words) => afterRestore(db, words, (tx, after) => note(tx, 'after-restore', 'cli', null, after)),
    noted: false,
  },
}

async function create(tx: Db, [name = '', option]: readonly string[], place: Place): Promise<Done> {
  if (!/^[A-Za-z0-9._@+-]{1,64}$/.test(name))
    throw new Refusal(`"${name}" is no name: letters, digits and . _ @ + -`)
  const readOnly = option !== undefined
  const { password, ...stored } = await newPassword(place)
  if (!(await createAdmin(tx, { username: name, readOnly, ...stored })))
    throw new Refusal(`There is an administrator "${name}" already.`)
  return { text: textOf({ username: name, password }, place), after: { username: name, readOnly } }
}

async function newPassword({ isLocal = false }: Place) {
  const password = oneTimePassword()
  return { password, passwordHash: await hashPassword(password), isOneTime: !isLocal }
}

const textOf = (admin: { username: string; password: string }, { isLocal }: Place): string =>
  isLocal ? `Administrator ${admin.username}, one-time password ${admin.password}` : printedPassword(admin)

async function resetPassword(tx: Db, [name = '']: readonly string[], place: Place): Promise<Done> {
  const admin = await mustFind(tx, name)
  if (admin.disabledAt)
    throw new Refusal(
      `The administrator "${admin.username}" was removed: another one brings him back in the dashboard.`,
    )
  const { password, ...stored } = await newPassword(place)
  await changeCredentials(tx, admin.id, stored)
  await revokeSessions(tx, admin.id)
  return { text: textOf({ username: admin.username, password }, place), after: { username: admin.username } }
}

async function resetOtp(tx: Db, [name = '']: readonly string[]): Promise<Done> {
  const admin = await mustFind(tx, name)
  await removeOtp(tx, admin.id)
  await revokeSessions(tx, admin.id)
  return {
    text: `${admin.username} logs in with the password alone and is asked to set up a second factor.`,
    before: { username: admin.username, otp: admin.otpConfirmedAt !== null },
    after: { otp: false },
  }
}

async function allowIp(tx: Db, [address = '']: readonly string[]): Promise<Done> {
  const { allowedIps: before } = await getSettings(tx, true)
  const after = address === '--all' ? [] : withEntry(before, toListEntry(address))
  await saveSettings(tx, { allowedIps: after })
  const text = after.length === 0 ? 'Every address may log in.' : `Allowed addresses: ${after.join(', ')}`
  return { text, before, after }
}

async function rotate(tx: Db, _: readonly string[], { keys = {} }: Place): Promise<Done> {
  const { secretKey, secretKeyOld } = keys
  if (!secretKey || !secretKeyOld)
    throw new Refusal('SECRET_KEY, the new key, and SECRET_KEY_OLD, the one before it, have to be set.')
  const after = await rotateKey(tx, { secretKey, secretKeyOld })
  const { channels } = after
  const texts = [`Second factors encrypted anew: ${after.renewed}.`]
  if (channels?.renewed) texts.push(`Channels: ${channels.renewed}.`)
  if (channels && channels.lost.length > 0)
    texts.push(`Neither key opens the channels ${channels.lost.join(', ')}: enter their secrets anew.`)
  if (after.lost.length > 0)
    texts.push(`Neither key opens those of ${after.lost.join(', ')}: admin reset-otp NAME for each.`)
  else if (!channels?.lost.length) texts.push('All open with SECRET_KEY alone.')
  return { text: texts.join(' '), after }
}

async function stop(tx: Db): Promise<Done> {
  const event = await stopSale(tx)
  return {
    text: `The sale of event ${event.number} ends at ${event.saleEnd?.toISOString()} and its money goes back.`,
    after: { eventNumber: event.number },
  }
}

/** An empty list already allows every address: an entry would lock all others out. */
const withEntry = (list: readonly string[], entry: string): string[] =>
  list.length === 0 || isListed(list, entry) ? [...list] : [...list, entry]

async function mustFind(tx: Db, name: string): Promise<Admin> {
  const admin = await findAdmin(tx, name)
  if (!admin) throw new Refusal(`There is no administrator "${name}".`)
  return admin
}

function toCommand([name = '', ...words]: readonly string[]): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command?.takes(words)) throw new Refusal(usage)
  return command
}

/** Runs a break-glass command and returns the text to print; command and audit row are one transaction. */
export async function runAdmin(
  db: Db,
  [name = '', ...words]: readonly string[],
  place: Place = {},
): Promise<string> {
  const { noted: isNoted = true, run } = toCommand([name, ...words])
  if (!isNoted) return (await run(db, words, place)).text
  const noted = async (tx: Db) => {
    const { text, before = null, after = null } = await run(tx, words, place)
    await note(tx, name, 'cli', before, after)
    return text
  }
  try {
    return await db.transaction(noted)
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof RaffleError)) throw error
    const argument = words.join(' ').slice(0, 100)
    const refused = (error instanceof RaffleError && errorSentence(en, error)) || error.message
    await note(db, name, 'cli refused', null, { argument, refused })
    throw new Refusal(refused)
  }
}

async function note(
  db: Db,
  command: string,
  outcome: string,
  before: unknown,
  after: unknown,
): Promise<void> {
  const actor = `cli:${userInfo().username}@${hostname()}`
  const row = { actor, action: `cli.${command}`, outcome, before, after }
  await addAudit(db, row)
  if (outcome === 'cli') await tellAudited(db, row)
}

if (import.meta.main) {
  try {
    toCommand(process.argv.slice(2))
    const env = readEnv()
    const dataDir = resolve(import.meta.dirname, '../..', env.dataDir)
    const { db, close } = connect(env.databaseUrl ?? localDatabaseUrl(dataDir), {
      max: 2,
      name: 'blockdraw admin',
    })
    try {
      const isLocal = env.databaseUrl === undefined && env.rpcUrls.length === 0
      console.log(await runAdmin(db, process.argv.slice(2), { isLocal, keys: env }))
    } finally {
      await close()
    }
  } catch (error) {
    const isExpected = error instanceof Refusal || error instanceof EnvError || error instanceof StartProblem
    console.error(isExpected ? error.message : error)
    process.exitCode = error instanceof Refusal ? error.exitCode : 1
  }
}
