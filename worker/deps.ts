import type { Logger } from 'pino'
import type { Clock } from '../core/server/time.ts'
import type { Db } from '../db/index.ts'
import type { Chain } from './chain/index.ts'
import type { Beacon } from './draw/relays.ts'

/**
 * What a job may use: no queue, so that a test or a console can call it as a plain function. `beacon` left out: quicknet, and
 * no relay is asked. `clock`: by which the chain is asked now and then; it is the machine's where it is left out.
 */
export type Deps = { db: Db; chain: Chain; log: Logger; beacon?: Beacon; clock?: Clock }
