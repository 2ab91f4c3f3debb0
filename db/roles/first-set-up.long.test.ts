import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { databaseOf, testDb } from '../../e2e/lab/database.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import { connect } from '../index.ts'
import { prepareDatabase } from '../prepare.ts'
import { setUpOwner } from './first-set-up.ts'
import { withLogin } from './login-url.ts'
import { makeLogins } from './logins.ts'

const server = inject('postgresUrl')
const env = parseEnv({ ADMIN_PASSWORD: 'a password' })
const operatorWallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** Names of a database and of roles that nobody else on the server has; they are gone after the test. */
function names(...roles: string[]) {
  const id = randomBytes(4).toString('hex')
  const database = `setup_${id}`
  const made = roles.map((role) => `${role}_${id}`)
  onTestFinished(async () => {
    const hand = postgres(server, { max: 1, onnotice: () => undefined })
    await hand.unsafe(`drop database if exists ${database} with (force)`)
    for (const role of made) await hand.unsafe(`drop role if exists ${role}`)
    await hand.end()
  })
  return { url: databaseOf(server, database), database, roles: made }
}

/** Does this as that login, in the database of the URL. */
async function asking<T>(url: string, act: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const client = postgres(url, { max: 1, onnotice: () => undefined })
  return act(client).finally(() => client.end())
}

const owners = (url: string) =>
  asking(
    url,
    (client) => client`
    select distinct tableowner as owner, rolsuper as "isSuper" from pg_tables join pg_roles on rolname = tableowner
    where schemaname in ('public', 'drizzle', 'bullmq')`,
  )

test('a new server gets an owner that is no superuser, and a database of its', async () => {
  const { url, roles } = names('owner')
  const [owner = ''] = roles
  const ownerUrl = withLogin(url, owner, 'p%41ss:word@/')
  expect(await setUpOwner({ ownerUrl, superuserUrl: server })).toBe(true)
  await prepareDatabase({ databaseUrl: ownerUrl, env, operatorWallet })
  expect([...(await owners(ownerUrl))]).toEqual([{ owner, isSuper: false }])
  expect(await setUpOwner({ ownerUrl, superuserUrl: 'postgres://nobody@127.0.0.1:1/none' })).toBe(false)
})

test('V2: tables that an older release has made as a superuser are handed over while it works on', async () => {
  const { url, database, roles } = names('owner')
  const [owner = ''] = roles
  await asking(server, (hand) => hand.unsafe(`create database ${database}`))
  await prepareDatabase({ databaseUrl: url, env, operatorWallet })
  const older = connect(url, { max: 1, name: 'blockdraw older' })
  onTestFinished(older.close)
  const held = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const working = older.db.transaction(async (tx) => {
    await tx.execute(sql`update public_version set version = version + 1`)
    held.resolve()
    await letGo.promise
  })
  await held.promise
  const ownerUrl = withLogin(url, owner, 'secret')
  const handing = setUpOwner({ ownerUrl, superuserUrl: server })
  const waits = () =>
    asking(url, (hand) => hand`select 1 from pg_locks where not granted`).then(({ length }) => length > 0)
  while (!(await waits())) await Bun.sleep(20)
  letGo.resolve()
  await working
  expect(await handing).toBe(true)
  expect([...(await owners(ownerUrl))]).toEqual([{ owner, isSuper: false }])
  await older.db.execute(sql`update public_version set version = version + 1`)
  await prepareDatabase({ databaseUrl: ownerUrl, env, operatorWallet })
})

test('an owner whose password was changed gets the new one', async () => {
  const { url, roles } = names('owner')
  const [owner = ''] = roles
  await setUpOwner({ ownerUrl: withLogin(url, owner, 'first'), superuserUrl: server })
  await setUpOwner({ ownerUrl: withLogin(url, owner, 'second'), superuserUrl: server })
  expect(await asking(withLogin(url, owner, 'second'), (own) => own`select 1 as one`)).toHaveLength(1)
  await expect(asking(withLogin(url, owner, 'first'), (own) => own`select 1 as one`)).rejects.toThrow(
    'password',
  )
})

test('a login that could do more than its program needs is refused', async () => {
  const { db } = await forTest(testDb())
  const stopped = db.transaction(async (tx) => {
    await tx.execute(sql`alter role blockdraw_api createrole`)
    await makeLogins(tx, { api: 'secret' })
  })
  await expect(stopped).rejects.toThrow(/^POSTGRES_API_PASSWORD .* blockdraw_api may do more/)
})
