import type { Hex } from 'viem'
import type { FlowsHead } from '../../core/flows/file.ts'

/** A file of which the fingerprint is known. */
export type KnownFile = { head: FlowsHead; sha256: Hex }
/** `books`: files of other books are none any more; `until`: one up to an earlier block is still a file. */
type Version = { until: string; books: number }
type Known = { done?: KnownFile & Version; running?: Promise<void> | undefined }

/** A browser or a proxy gives up on a silent server after 10 s. */
const waitLimitMs = 5_000

/**
 * The newest file of each event with its fingerprint. That takes a whole reading, some seconds for a million transfers, which all
 * who ask share; whoever cannot wait so long gets the file before, if there is one.
 */
export function rememberNewest(waitMs = waitLimitMs) {
  const byEvent = new Map<number, Known>()
  return {
    /** It turned out to be another one. */
    forget: (eventNumber: number): void => void byEvent.delete(eventNumber),
    /** Undefined while the first one is being read. */
    async get(
      eventNumber: number,
      version: Version,
      read: () => Promise<KnownFile>,
    ): Promise<KnownFile | undefined> {
      const known: Known = byEvent.get(eventNumber) ?? {}
      byEvent.set(eventNumber, known)
      const isNewest = () => known.done?.until === version.until && known.done.books === version.books
      const { promise: late, resolve: giveUp } = Promise.withResolvers<'late'>()
      const timer = setTimeout(() => giveUp('late'), waitMs)
      try {
        while (!isNewest()) {
          known.running ??= read()
            .then((file) => {
              known.done = { ...file, ...version }
            })
            .finally(() => {
              known.running = undefined
            })
          known.running.catch(() => undefined)
          if ((await Promise.race([known.running, late])) === 'late') break
        }
      } finally {
        clearTimeout(timer)
      }
      return known.done?.books === version.books ? known.done : undefined
    },
  }
}
