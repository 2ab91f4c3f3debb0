import { describe, expect, test } from 'vitest'
import { eachOpenEvent, inFuture, rules } from '../../e2e/lab/event-form.ts'
import { foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { events } from '../schema/index.ts'
import { getOpenEvent } from './events.ts'
import { noteNewestBlock } from './sale.ts'
import { updateEvent } from './update.ts'

const { own, event, endSale, publicChanges } = eachOpenEvent()

describe('draw date', () => {
  test('sets the sale end one lead before it and lists the change', async () => {
    const drawDate = inFuture(3_600)
    const { event: updated } = await updateEvent(own.db, { drawDate }, rules)
    expect(updated).toMatchObject({ drawDate, saleEnd: new Date(drawDate.getTime() - 10_000), revision: 2 })
    expect(await publicChanges()).toEqual([
      ['drawDate', null, drawDate.toISOString()],
      ['saleEndDate', null, new Date(drawDate.getTime() - 10_000).toISOString()],
    ])
  })

  test('whose sale end has passed is refused, naming that sale end', async () => {
    const drawDate = inFuture(9)
    await expect(updateEvent(own.db, { drawDate }, rules)).rejects.toMatchObject({
      code: 'DATE_IN_PAST',
      values: { saleEnd: new Date(drawDate.getTime() - 10_000).toISOString() },
    })
    expect(await getOpenEvent(own.db)).toMatchObject({ drawDate: null, revision: 1 })
  })

  test('cannot end the sale before the newest block seen, even if our clock is behind the chain', async () => {
    await foldTo(own.db, event, 1)
    const newest = inFuture(7_200).getTime() / 1000
    await noteNewestBlock(own.db, { timestamp: newest, notAfter: newest })
    await expect(updateEvent(own.db, { drawDate: inFuture(7_200) }, rules)).rejects.toMatchObject({
      code: 'DATE_IN_PAST',
    })
    await updateEvent(own.db, { drawDate: inFuture(7_215) }, rules)
  })

  test('with a sale end that is not the derived one is refused', async () => {
    const drawDate = inFuture(3_600)
    await expect(updateEvent(own.db, { drawDate, saleEndDate: drawDate }, rules)).rejects.toMatchObject({
      code: 'INVALID_DATE',
    })
  })

  test('lies 180 days ahead at most, and under the lock the sale ends ten minutes later than now at least', async () => {
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00 })])
    const codeOf = (seconds: number) =>
      updateEvent(own.db, { drawDate: inFuture(seconds) }, { ...rules, leastNoticeMs: undefined })
    const field = 'drawDate'
    await expect(codeOf(181 * 86_400)).rejects.toMatchObject({ code: 'DATE_TOO_FAR', field })
    await expect(codeOf(500)).rejects.toMatchObject({ code: 'DATE_IN_PAST', field })
    await codeOf(800)
    await expect(codeOf(900)).rejects.toMatchObject({ code: 'EVENT_LOCKED', field })
  })

  test('once a ticket is sold the lead and the sale end alone are nobody’s to write', async () => {
    await updateEvent(own.db, { drawDate: inFuture(3_600) }, rules)
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00 })])
    for (const change of [{ saleEnd: inFuture(3_000) }, { saleLeadSeconds: 20 }])
      await expect(own.db.update(events).set(change)).rejects.toMatchObject({ cause: { code: '23001' } })
  })

  test('I13: date and minimum are locked from the sale end on', async () => {
    await endSale()
    await expect(updateEvent(own.db, { drawDate: inFuture(3_600) }, rules)).rejects.toMatchObject({
      code: 'EVENT_LOCKED',
    })
    await expect(updateEvent(own.db, { minTickets: 5 }, rules)).rejects.toMatchObject({
      code: 'EVENT_LOCKED',
    })
    await updateEvent(own.db, { googleFormUrl: 'https://forms.example/1' }, rules)
  })
})
