import type { Logger } from 'pino'
import type { Address } from 'viem'
import type { Bell } from '../core/server/queue.ts'
import type { EnvTerms } from '../db/event/events.ts'
import type { Db } from '../db/index.ts'
import type { AddressRules } from './http/client-address.ts'
import type { HubLimits } from './live/hub.ts'
import type { LiveState } from './live/state.ts'

/** What the routes stand on. */
export type Deps = {
  db: Db
  state: LiveState
  bell: Pick<Bell, 'ring'> & Partial<Pick<Bell, 'counts' | 'ages'>>
  log: Logger
  addresses: AddressRules
  allowedOrigins: readonly string[]
  admin: AdminDeps
  /** Opens the page to read the calls on. */
  isDevelopment?: boolean
  /** Other limits of streams than the usual ones. */
  streamLimits?: Partial<HubLimits>
}

/** What the administrator area needs besides. */
export type AdminDeps = {
  /** SECRET_KEY: keys for OTP secrets and upload signatures are derived from it. */
  secretKey: string
  /** For the process that makes exports: it has a connection of its own. */
  databaseUrl: string
  /** `file:` or `s3:`; where prize images are kept. */
  storageUrl: string
  publicApiUrl: string | undefined
  /** Terms of an event that is opened now. */
  terms: EnvTerms
  /** OPERATOR_WALLET: no form may change it. */
  pinnedWallet: Address | undefined
  /** Left out: nothing is paused, 0.10 USDT is dust, no contract pays many at once. */
  refunds?: RefundSettings
}

export type RefundSettings = {
  /** REFUND_MIN_USDT in units: rows below it are set aside. */
  minUnits: bigint
  /** REFUNDS_PAUSED: nothing is handed to the wallet. */
  isPaused: boolean
  disperseAddress: Address | undefined
}
