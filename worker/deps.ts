import type { Logger } from 'pino'
import type { Db } from '../db/index.ts'
import type { Chain } from './chain/index.ts'

/** What a job may use: no queue, so that a test or a console can call it as a plain function. */
export type Deps = { db: Db; chain: Chain; log: Logger }
