import type { Logger } from 'pino'
import type { Address } from 'viem'
import { type BeaconNetwork, quicknet } from '../core/draw/beacon.ts'
import type { Env } from '../core/server/env.ts'
import type { JobQueue } from '../core/server/queue.ts'
import type { SecretKeys } from '../core/server/secrets.ts'
import type { Clock } from '../core/server/time.ts'
import type { EnvTerms } from '../db/event/events.ts'
import type { Db } from '../db/index.ts'
import type { AddressRules } from './http/client-address.ts'
import type { Limits } from './http/limits.ts'
import type { HubLimits } from './live/hub.ts'
import type { LiveState } from './live/state.ts'

export type Deps = {
  db: Db
  state: LiveState
  jobs: Pick<JobQueue, 'enqueue'> & Partial<Pick<JobQueue, 'counts'>>
  log: Logger
  addresses: AddressRules
  limits: Limits
  allowedOrigins: readonly string[]
  admin: AdminDeps
  /** Whose rounds visitors hand in. */
  beacon: BeaconNetwork
  /** The built pages; those beside the program if left out. */
  siteDir?: string | undefined
  /** Messages may be signed for a host that nobody has named. */
  isDevelopment?: boolean
  /** Of whatever waits for a worker or holds a login back; the real one if left out. */
  clock?: Clock | undefined
  /** Limits of streams that replace the defaults. */
  streamLimits?: Partial<HubLimits>
}

/** Only a start with a chain of its own has another beacon. */
export const isLocalMode = ({ beacon }: Deps): boolean => beacon.chainHash !== quicknet.chainHash

export type AdminDeps = SecretKeys &
  Pick<Env, 'formHosts' | 'publicApiUrl'> & {
    /** For the process that makes exports, which opens its own connection. */
    databaseUrl: string
    /** `file:` or `s3:`; where prize images are kept. */
    storageUrl: string
    /** Terms for an event that is opened now. */
    terms: EnvTerms
    /** OPERATOR_WALLET: no form may change it. */
    pinnedWallet: Address | undefined
    refunds: RefundSettings
  }

export type RefundSettings = {
  /** REFUND_MIN_USDT in units: less is held as dust. */
  minUnits: bigint
  /** REFUNDS_PAUSED: nothing is handed to the wallet. */
  isPaused: boolean
}
