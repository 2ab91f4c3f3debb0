const rememberedKeys = 500

/**
 * Caches a value a key as long as `version` says the same, missing ones too; all who ask meanwhile share one load. While the
 * database is gone the last value is served.
 */
export function rememberByVersion<T>(version: () => number, load: (key: number) => Promise<T | undefined>) {
  type Entry = { version: number; value: Promise<T | undefined>; before: T | undefined }
  const known = new Map<number, Entry>()

  return async (key: number): Promise<T | undefined> => {
    const entry = known.get(key)
    const wanted = version()
    if (entry && entry.version === wanted) return entry.value
    const before = entry && (await entry.value.catch(() => entry.before))
    // Somebody else may have begun meanwhile.
    const newer = known.get(key)
    if (newer && newer !== entry && newer.version >= wanted) return newer.value
    const fresh: Entry = { version: wanted, before, value: load(key) }
    known.delete(key)
    known.set(key, fresh)
    if (known.size > rememberedKeys) known.delete(known.keys().next().value as number)
    try {
      return await fresh.value
    } catch (error) {
      // Asked again by the next one.
      fresh.version = -1
      if (before !== undefined) return before
      throw error
    }
  }
}
