import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { eachOpenEvent } from '../../e2e/lab/event-form.ts'
import { foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { freezeLedger } from '../payment/ledger.ts'
import { events } from '../schema/index.ts'
import { getOpenEvent } from './events.ts'
import { resumeSales, stopSale } from './sale.ts'

const { own, event, publicChanges } = eachOpenEvent()

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
    expect((await publicChanges()).map(([field, , to]) => [field, to])).toContainEqual(['sales', 'stopped'])
  })
})

test('an administrator resumes halted sales, once, and the change is listed', async () => {
  await own.db.update(events).set({ haltedAt: sql`now()` })
  expect([await resumeSales(own.db), await resumeSales(own.db)]).toEqual([true, false])
  expect(await publicChanges()).toEqual([['sales', 'halted', 'open']])
})
