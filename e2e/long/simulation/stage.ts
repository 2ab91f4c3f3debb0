import { parseEnv } from '../../../core/server/env.ts'
import { hashPassword } from '../../../core/server/password.ts'
import { createFirstAdmin } from '../../../db/admin/admins.ts'
import { applyEnvironment } from '../../../db/event/environment.ts'
import { keepRows, openSimulatedDatabase, restoreRows, setDatabaseClock } from './database.ts'
import { firstSale, wallets } from './simulated-chain.ts'

/** Where stories are played one after the other: a database that returns to the day on which event 1 opened. */
export type Stage = Awaited<ReturnType<typeof openStage>>

export const baseEnv: Readonly<Record<string, string>> = {
  SALE_LEAD_SECONDS: '10',
  // No queue is opened: the simulation runs the jobs itself.
  REDIS_URL: 'redis://127.0.0.1:1',
}

/** Who is there in each story. */
export const admin = { username: 'admin', password: 'nobody logs in here 31' }

export async function openStage(postgresUrl: string) {
  const { db, url: databaseUrl, close } = await openSimulatedDatabase(postgresUrl, firstSale - 1)
  await applyEnvironment(db, parseEnv(baseEnv), wallets[0])
  await createFirstAdmin(db, {
    ...{ username: admin.username, isOneTime: false },
    passwordHash: await hashPassword(admin.password),
  })
  await keepRows(db)
  return {
    ...{ db, databaseUrl, close },
    reset: async () => {
      await restoreRows(db)
      await setDatabaseClock(db, firstSale)
    },
  }
}
