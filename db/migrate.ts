import { EnvError, parseEnv } from '../core/env.ts'
import { prepareDatabase } from './prepare.ts'

/** `bun run db:migrate`: brings the database of DATABASE_URL up to date, then ends. */
try {
  const env = parseEnv(process.env)
  if (!env.databaseUrl) throw new EnvError('DATABASE_URL', 'is not set: which database is to be migrated?')
  const { createdAdmin } = await prepareDatabase({
    databaseUrl: env.databaseUrl,
    env,
    operatorWallet: env.operatorWallet,
  })
  console.log('The database is up to date.')
  if (createdAdmin)
    console.log(`Administrator ${createdAdmin.username}, one-time password ${createdAdmin.password}`)
} catch (error) {
  console.error(error instanceof EnvError ? error.message : error)
  process.exitCode = 1
}
