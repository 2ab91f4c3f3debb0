import { hostname, userInfo } from 'node:os'
import { resolve } from 'node:path'
import { isListed, toListEntry } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { EnvError } from '../../core/server/env.ts'
import { hashPassword, oneTimePassword } from '../../core/server/password.ts'
import { readEnv } from '../../core/server/read-env.ts'
import { type Admin, changeCredentials, createAdmin, findAdmin, removeOtp } from '../../db/admin/admins.ts'
import { addAudit } from '../../db/admin/audit.ts'
import { revokeSessions } from '../../db/admin/sessions.ts'
import { lockSettings, saveSettings } from '../../db/admin/settings.ts'
import { stopSale } from '../../db/event/sale.ts'
import { connect, type Db } from '../../db/index.ts'
import { StartProblem } from '../local/problem.ts'
import { localDatabaseUrl } from '../local/running-postgres.ts'

const usage = `bun run admin <command>

  create NAME           a new administrator; prints a one-time password
  reset-password NAME   a new one-time password; ends the sessions
  reset-otp NAME        the next login asks for the password alone
  allow-ip ADDRESS      adds an address or range to the list; --all empties the list
  stop-sale             ends the running sale into refund mode, in public

Works on DATABASE_URL, else on the database of a running \`bun run start\`. Each command is audited.`

type Done = { text: string; before?: unknown; after?: unknown }
type Command = (tx: Db, argument: string) => Promise<Done>

const commands: Record<string, Command> = {
  create: async (tx, name) => {
    if (!/^[A-Za-z0-9._@+-]{1,64}$/.test(name))
      throw new Refusal(`"${name}" is no name: letters, digits and . _ @ + -`)
    const password = oneTimePassword()
    if (!(await createAdmin(tx, { username: name, passwordHash: await hashPassword(password) })))
      throw new Refusal(`There is an administrator "${name}" already.`)
    return { text: `Administrator ${name}, one-time password ${password}`, after: { username: name } }
  },
  'reset-password': async (tx, name) => {
    const admin = await mustFind(tx, name)
    const password = oneTimePassword()
    await changeCredentials(tx, admin.id, { passwordHash: await hashPassword(password) })
    await revokeSessions(tx, admin.id)
    return {
      text: `Administrator ${admin.username}, one-time password ${password}`,
      after: { username: admin.username },
    }
  },
  'reset-otp': async (tx, name) => {
    const admin = await mustFind(tx, name)
    await removeOtp(tx, admin.id)
    await revokeSessions(tx, admin.id)
    return {
      text: `${admin.username} logs in with the password alone and is asked to set up a second factor.`,
      before: { username: admin.username, otp: admin.otpConfirmedAt !== null },
      after: { otp: false },
    }
  },
  'allow-ip': async (tx, address) => {
    const { allowedIps: before } = await lockSettings(tx)
    const after = address === '--all' ? [] : withEntry(before, toListEntry(address))
    await saveSettings(tx, { allowedIps: after })
    const text = after.length === 0 ? 'Every address may log in.' : `Allowed addresses: ${after.join(', ')}`
    return { text, before, after }
  },
  'stop-sale': async (tx) => {
    const event = await stopSale(tx)
    return {
      text: `The sale of event ${event.number} ends at ${event.saleEnd?.toISOString()} and its money goes back.`,
      after: { eventNumber: event.number },
    }
  },
}

/** An empty list already allows every address: an entry would lock all others out. */
const withEntry = (list: readonly string[], entry: string): string[] =>
  list.length === 0 || isListed(list, entry) ? [...list] : [...list, entry]

class Refusal extends Error {}

async function mustFind(tx: Db, name: string): Promise<Admin> {
  const admin = await findAdmin(tx, name)
  if (!admin) throw new Refusal(`There is no administrator "${name}".`)
  return admin
}

function toCommand([name = '', argument = '', ...more]: readonly string[]): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || more.length > 0 || (argument === '') !== (name === 'stop-sale')) throw new Refusal(usage)
  return command
}

/** Runs a break-glass command and returns the text to print; command and audit row are one transaction. */
export async function runAdmin(
  db: Db,
  [name = '', argument = '', ...more]: readonly string[],
): Promise<string> {
  const command = toCommand([name, argument, ...more])
  try {
    return await db.transaction(async (tx) => {
      const { text, before = null, after = null } = await command(tx, argument)
      await note(tx, name, 'cli', before, after)
      return text
    })
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof RaffleError)) throw error
    await note(db, name, 'cli refused', null, { argument: argument.slice(0, 100), refused: error.message })
    throw new Refusal(error.message)
  }
}

const note = (db: Db, command: string, outcome: string, before: unknown, after: unknown): Promise<void> =>
  addAudit(db, {
    actor: `${userInfo().username}@${hostname()}`,
    action: `cli.${command}`,
    outcome,
    before,
    after,
  })

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
      console.log(await runAdmin(db, process.argv.slice(2)))
    } finally {
      await close()
    }
  } catch (error) {
    const isExpected = error instanceof Refusal || error instanceof EnvError || error instanceof StartProblem
    console.error(isExpected ? error.message : error)
    process.exitCode = 1
  }
}
