import { afterEach, beforeEach, vi } from 'vitest'

/** A browser's `localStorage`, empty before each test. */
export function eachTestWithStorage(): void {
  beforeEach(() => {
    const kept = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    })
  })
  afterEach(() => void vi.unstubAllGlobals())
}
