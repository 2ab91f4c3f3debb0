import type { Logger } from 'pino'
import type { Db } from '../db/index.ts'
import type { Chain } from './chain/index.ts'
import type { Beacon } from './draw/relays.ts'

/**
 * What a job may use: no queue, so that a test or a console can call it as a plain function. `beacon` left out: quicknet, and
 * no relay is asked.
 */
export type Deps = { db: Db; chain: Chain; log: Logger; beacon?: Beacon }
