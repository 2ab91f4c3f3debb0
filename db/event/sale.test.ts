import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { eachOpenEvent, inFuture, rules } from '../../e2e/lab/event-form.ts'
import { foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { freezeLedger } from '../payment/ledger.ts'
import { events } from '../schema/index.ts'
import { getOpenEvent } from './events.ts'
import { resumeSales, stopSale } from './sale.ts'
import { updateEvent } from './update.ts'

const { own, event, endSale, publicChanges } = eachOpenEvent()

describe('stop-sale', () => {
  test('ends the sale now, lists the change, and enters refund mode once the ledger is frozen', async () => {
    await foldTo(own.db, event, 1, [paid(event, { block: 1, cents: 3_00 })])
    const stopped = await stopSale(own.db)
    expect(stopped.stoppedAt).not.toBeNull()
    await expect(stopSale(own.db)).rejects.toMatchObject({ code: 'EVENT_LOCKED' })
    const after = Math.ceil((stopped.saleEnd as Date).getTime() - event.saleStart.getTime()) / 1000
    await foldTo(own.db, event, after, [paid(event, { block: after, cents: 3_00 })])
    await freezeLedger(own.db)
    expect(await getOpenEvent(own.db)).toMatchObject({
      ticketsSold: 1,
      refundModeAt: expect.any(Date),
      drawDate: null,
    })
    // The freeze finds it in refund mode already, which is told once.
    const told = (await publicChanges()).map(([field]) => field)
    expect(told).toEqual(['saleEndDate', 'sales', 'refundMode', 'ledger'])
  })

  test('is for good, and moves no date but the sale end to now, whatever program writes it', async () => {
    await updateEvent(own.db, { drawDate: inFuture(3_600) }, rules)
    await foldTo(own.db, event, 6, [paid(event, { block: 5, cents: 3_00 })])
    const stop = (set: string) => own.db.execute(`update events set stopped_at = now(), ${set}`)
    const day = "interval '1 day'"
    for (const set of [
      `draw_date = draw_date + ${day}, sale_end = sale_end + ${day}`,
      `draw_date = draw_date + ${day}, sale_end = next_moment()`,
      `draw_date = null, sale_end = sale_end + interval '1 second'`,
      `draw_date = null, sale_end = now() - ${day}`,
      'draw_date = null, sale_end = null',
    ])
      await expect(stop(set)).rejects.toThrow()
    await stop('draw_date = null, sale_end = next_moment()')
    for (const set of ['stopped_at = null', `stopped_at = stopped_at - ${day}`, `draw_date = now() + ${day}`])
      await expect(own.db.execute(`update events set ${set}`)).rejects.toThrow()
  })

  test('comes too late once the sale has ended', async () => {
    await endSale({ isSold: true })
    await expect(own.db.execute('update events set stopped_at = now()')).rejects.toThrow()
  })
})

test('an administrator resumes halted sales, once, and the change is listed', async () => {
  await own.db.update(events).set({ haltedAt: sql`now()` })
  expect([await resumeSales(own.db), await resumeSales(own.db)]).toEqual([true, false])
  expect(await publicChanges()).toEqual([['sales', 'halted', 'open']])
})
