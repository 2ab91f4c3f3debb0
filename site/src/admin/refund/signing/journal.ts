import type { Hash } from 'viem'
import { storage } from '../../../shell/storage.ts'

/** An outcome not yet reported to the server; it survives a reload. The chain settles sent rows anyway. */
export type JournalEntry =
  | { ids: number[]; hash: Hash }
  | { ids: number[]; bundle: string }
  | { rejected: { id: number; revision: number }[] }

export type Journal = { read: () => JournalEntry[]; write: (entries: JournalEntry[]) => void }

const key = 'blockdraw:refunds'

/** Kept in this browser. */
export const browserJournal: Journal = {
  read: () => (storage.read(key, Array.isArray) ?? []).filter(isEntry),
  write: (entries) => storage.write(key, entries.length > 0 ? entries : undefined),
}

export const addEntry = (journal: Journal, entry: JournalEntry): void =>
  journal.write([...journal.read(), entry])

export const dropEntry = (journal: Journal, entry: JournalEntry): void =>
  journal.write(journal.read().filter((one) => JSON.stringify(one) !== JSON.stringify(entry)))

function isEntry(value: unknown): value is JournalEntry {
  const entry = value as { ids?: unknown; hash?: unknown; bundle?: unknown; rejected?: unknown } | null
  if (typeof entry !== 'object' || entry === null) return false
  if (Array.isArray(entry.rejected))
    return entry.rejected.every((row) => Number.isSafeInteger(row?.id) && Number.isSafeInteger(row?.revision))
  return (
    Array.isArray(entry.ids) &&
    entry.ids.every(Number.isSafeInteger) &&
    (/^0x[0-9a-f]{64}$/.test(String(entry.hash)) || typeof entry.bundle === 'string')
  )
}
