import { addressKey } from '../../core/address-key.ts'
import type { AuditRow } from '../../db/admin/audit.ts'

/** A call of somebody without a session that was refused. */
export type Refusal = {
  clientAddress: string
  action: string
  code: string
  status: number
  requestId: string | null
  /** Of an administrator, where the call named one. */
  username?: string | undefined
}
type Count = Refusal & { count: number; codes: Record<string, number>; firstAt: number; lastAt: number }
type Options = {
  write: (rows: AuditRow[]) => Promise<void>
  onLost: (error: unknown) => void
  now?: () => number
}

const minuteMs = 60_000
/**
 * Rows a minute, and what is kept in memory: the rest is one row together.
 * @internal
 */
export const maxAddresses = 100
const others = 'others'

/**
 * Counts refused calls of strangers in memory. When the minute is over each address, an IPv6 /64 as one, is one row of
 * the audit list, so that nobody fills it. What cannot be written is kept for the next minute.
 */
export function refusalCounts({ write, onLost, now = Date.now }: Options) {
  let counts = new Map<string, Count>()
  let endsAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing = Promise.resolve()

  function add(key: string, one: Count): void {
    const slot = counts.has(key) || counts.size < maxAddresses ? key : others
    const known = counts.get(slot)
    if (!known) {
      counts.set(slot, one)
      return
    }
    const codes = { ...known.codes }
    for (const [code, count] of Object.entries(one.codes)) codes[code] = (codes[code] ?? 0) + count
    const [former, later] = one.lastAt < known.lastAt ? [one, known] : [known, one]
    counts.set(slot, {
      ...later,
      username: later.username ?? former.username,
      count: known.count + one.count,
      firstAt: Math.min(known.firstAt, one.firstAt),
      codes,
    })
  }

  function awaitEnd(): void {
    const at = now()
    endsAt = at - (at % minuteMs) + minuteMs
    timer = setTimeout(() => void flush(), endsAt - at)
    timer.unref()
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    const written = counts
    counts = new Map()
    if (written.size > 0) writing = writing.then(() => put(written))
    await writing
  }

  async function put(written: Map<string, Count>): Promise<void> {
    try {
      await write([...written].map(([key, count]) => rowOf(key, count)))
    } catch (error) {
      onLost(error)
      if (counts.size === 0) awaitEnd()
      for (const [key, count] of written) add(key, count)
    }
  }

  return {
    note(refusal: Refusal): void {
      const at = now()
      if (counts.size > 0 && at >= endsAt) void flush()
      if (counts.size === 0) awaitEnd()
      const codes = { [refusal.code]: 1 }
      add(addressKey(refusal.clientAddress), { ...refusal, codes, count: 1, firstAt: at, lastAt: at })
    },
    /** Writes what is counted now, before the minute is over. */
    flush,
  }
}

export type RefusalCounts = ReturnType<typeof refusalCounts>

function rowOf(key: string, refusals: Count): AuditRow {
  const { count, codes, firstAt, lastAt, code, status, action, username, requestId } = refusals
  return {
    actor: 'anonymous',
    action: 'refused',
    clientAddress: key === others ? null : shown(key),
    outcome: String(status),
    before: null,
    after: {
      refused: code,
      count,
      codes,
      firstAt: new Date(firstAt).toISOString(),
      lastAt: new Date(lastAt).toISOString(),
      lastAction: action,
      ...(username !== undefined && { username }),
      ...(key === others && { others: true }),
    },
    requestId,
  }
}

/** The key of an IPv6 address is its /64. */
const shown = (key: string): string => (key.includes(':') && !key.includes('/') ? `${key}::/64` : key)
