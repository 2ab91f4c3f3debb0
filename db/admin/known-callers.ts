import { desc, gt, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { prepared } from '../prepared.ts'
import { sessions, settings } from '../schema/index.ts'
import { isLive } from './sessions.ts'

/** Far more than administrators have: only a bound. */
const mostSessions = 10_000
const mostLogins = 1_000

const knownCallers = prepared((db) => {
  const live = db
    .select({ hash: sessions.tokenHash })
    .from(sessions)
    .where(isLive)
    .orderBy(desc(sessions.createdAt))
    .limit(mostSessions)
  const logins = db
    .select({ address: sessions.clientAddress, device: sessions.deviceHash })
    .from(sessions)
    .where(gt(sessions.createdAt, sql`now() - interval '30 days'`))
    .orderBy(desc(sessions.createdAt))
    .limit(mostLogins)
    .as('logins')
  const addresses = db.selectDistinctOn([logins.address], { address: logins.address }).from(logins)
  const devices = db
    .selectDistinctOn([logins.device], { device: logins.device })
    .from(logins)
    .where(isNotNull(logins.device))
  return db
    .select({
      allowedIps: settings.allowedIps,
      tokens: sql<string[]>`array(${live})`,
      addresses: sql<string[]>`array(${addresses})`,
      devices: sql<string[]>`array(${devices})`,
    })
    .from(settings)
    .prepare('known_callers')
})

/** The address list, the hashes of live sessions, and from where logins of the last 30 days came, in one query. */
export async function findKnownCallers(db: Db) {
  const [row] = await knownCallers(db).execute()
  return row ?? { allowedIps: [], tokens: [], addresses: [], devices: [] }
}
