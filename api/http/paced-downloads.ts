import type { AddressKey } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { limit } from '../../core/server/concurrency.ts'

export type Pages = AsyncGenerator<{ text: string }>

const perAddress = 2
const inAll = 100
/** Questions to the database at once; visitors' purchases use the same connections. */
const pagesAtOnce = 2

/**
 * Long downloads beside everything else: one page at a time, at the reader's pace, and the pages of all readers two at
 * a time. A reader who is slow holds up nobody; an address has two downloads at once.
 */
export function pacedDownloads() {
  const inTurn = limit(pagesAtOnce)
  const running = new Map<string, number>()
  let all = 0

  function enter(keys: readonly AddressKey[]): () => void {
    if (all >= inAll || keys.some(({ key, times }) => (running.get(key) ?? 0) >= perAddress * times))
      throw new RaffleError('EXPORT_BUSY', 'Other downloads are running. Try again in a moment.', {
        retryAfterSeconds: 5,
      })
    const add = (by: 1 | -1): void => {
      all += by
      for (const { key } of keys) {
        const left = (running.get(key) ?? 0) + by
        if (left > 0) running.set(key, left)
        else running.delete(key)
      }
    }
    add(1)
    let isOver = false
    return () => {
      if (!isOver) add(-1)
      isOver = true
    }
  }

  return (keys: readonly AddressKey[], pages: Pages): ReadableStream<Uint8Array> => {
    const leave = enter(keys)
    const encoder = new TextEncoder()
    return new ReadableStream({
      async pull(controller) {
        try {
          const { done, value } = await inTurn(() => pages.next())
          if (!done) return controller.enqueue(encoder.encode(value.text))
          leave()
          controller.close()
        } catch (error) {
          leave()
          throw error
        }
      },
      async cancel() {
        leave()
        await pages.return(undefined)
      },
    })
  }
}
