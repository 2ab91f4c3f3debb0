import { addressKey } from '../../core/address-key.ts'
import { batch } from '../../core/server/concurrency.ts'
import { findKnownCallers } from '../../db/admin/known-callers.ts'
import { findSession } from '../../db/admin/sessions.ts'
import type { Db } from '../../db/index.ts'
import type { Caller } from './caller.ts'

export type Known = {
  allowedIps: readonly string[]
  /** Hashes of the tokens of live sessions. */
  tokens: ReadonlySet<string>
  /** Keys of addresses, and hashes of devices, that have logged in during the last 30 days. */
  addresses: ReadonlySet<string>
  devices: ReadonlySet<string>
}
export type KnownCallers = ReturnType<typeof knownCallers>

const rememberedMs = 250

/** The address list and who is no stranger, in memory: strangers cost at most 100 queries a second in all. */
export function knownCallers(db: Db) {
  let last: { known: Known; readAt: number } | undefined
  let isReading = false
  const read = batch(async (calls: undefined[]) => {
    const readAt = performance.now()
    const { allowedIps, tokens, addresses, devices } = await findKnownCallers(db)
    const known: Known = {
      allowedIps,
      tokens: new Set(tokens),
      addresses: new Set(addresses.map(addressKey)),
      devices: new Set(devices),
    }
    last = { known, readAt }
    return calls.map(() => known)
  })

  function readBeside(): void {
    if (isReading) return
    isReading = true
    void read(undefined)
      .catch(() => undefined)
      .finally(() => {
        isReading = false
      })
  }
  return {
    /** What is remembered, without waiting; older than a moment, it is read again beside. */
    recent: async (): Promise<Known> => {
      if (!last) return read(undefined)
      if (performance.now() - last.readAt > rememberedMs) readBeside()
      return last.known
    },
    /** As the database has it now; many calls share an answer. */
    current: (): Promise<Known> => read(undefined),
    /** The address list and the caller's session. A token that is unknown costs no query of its own. */
    async sessionOf({ knownBy, tokenHash }: Pick<Caller, 'knownBy' | 'tokenHash'>) {
      if (knownBy === 'session') return findSession(db, tokenHash)
      const { tokens, allowedIps } = await read(undefined)
      if (tokenHash && tokens.has(tokenHash)) return findSession(db, tokenHash)
      return { allowedIps, session: undefined }
    },
  }
}
