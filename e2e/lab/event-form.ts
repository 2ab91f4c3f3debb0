import { getOpenEvent } from '../../db/event/events.ts'
import { changes, events } from '../../db/schema/index.ts'
import { envTerms, foldTo, openEvent, paid } from './ledger-story.ts'
import { forEachTest } from './opened.ts'
import { withOtherPast } from './other-past.ts'
import { usedDb } from './used-database.ts'

/** What an administrator's form is judged by where no wallet is pinned, and no buyer has to be told in advance. */
export const rules = { terms: envTerms, pinnedWallet: undefined, leastNoticeMs: 0 }
/** A full second from now. */
export const inFuture = (seconds: number) => new Date((Math.floor(Date.now() / 1000) + seconds) * 1000)

/** Event 1 on a database of its own before each test, and what becomes of it. */
export function eachOpenEvent() {
  const own = forEachTest(usedDb)
  const event = forEachTest(() => openEvent(own.db))

  /** The sale ended a moment ago; with `drawn`, the draw date has passed as well. `isSold`: with one ticket. */
  async function endSale({ drawn = false, isSold = false } = {}): Promise<void> {
    const drawDate = inFuture(drawn ? -1 : 9)
    await withOtherPast(own.db, (tx) =>
      tx.update(events).set({
        drawDate,
        saleEnd: new Date(drawDate.getTime() - 10_000),
        saleStart: new Date(drawDate.getTime() - 20_000),
      }),
    )
    Object.assign(event, await getOpenEvent(own.db))
    await foldTo(own.db, event, 15, isSold ? [paid(event, { block: 1, cents: 3_00 })] : [])
  }

  async function publicChanges() {
    const rows = await own.db.select().from(changes).orderBy(changes.id)
    return rows.map(({ field, from, to }) => [field, from, to])
  }

  return { own, event, endSale, publicChanges }
}
