import type { Logger } from 'pino'
import type { Db } from '../db/index.ts'
import type { Bell } from '../db/queue.ts'
import type { AddressRules } from './address.ts'
import type { LiveState } from './live-state.ts'

/** What the routes stand on. */
export type Deps = {
  db: Db
  state: LiveState
  bell: Pick<Bell, 'ring'>
  log: Logger
  addresses: AddressRules
  allowedOrigins: readonly string[]
}
