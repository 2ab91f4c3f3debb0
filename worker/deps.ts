import type { Logger } from 'pino'
import type { Clock } from '../core/server/time.ts'
import type { Db } from '../db/index.ts'
import type { Chain } from './chain/index.ts'
import type { Beacon } from './draw/relays.ts'

/** What a job may use: no queue, so that a test can call it as a plain function. Left out, `beacon` is
 * quicknet without relays, `clock` the machine's. */
export type Deps = { db: Db; chain: Chain; log: Logger; beacon?: Beacon; clock?: Clock }
