import { describe, expect, test } from 'vitest'
import { eachOpenEvent, rules } from '../../e2e/lab/event-form.ts'
import { foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { events, payments } from '../schema/index.ts'
import { getOpenEvent } from './events.ts'
import { updateEvent } from './update.ts'

const { own, event, publicChanges } = eachOpenEvent()

describe('caps', () => {
  test('are set and taken away before the first ticket, and listed', async () => {
    await updateEvent(own.db, { maxTickets: 500, maxPerWallet: 5 }, rules)
    expect(await getOpenEvent(own.db)).toMatchObject({ maxTickets: 500, maxPerWallet: 5 })
    await updateEvent(own.db, { maxTickets: null }, rules)
    expect(await getOpenEvent(own.db)).toMatchObject({ maxTickets: null, maxPerWallet: 5 })
    expect((await publicChanges()).filter(([field]) => field?.startsWith('max'))).toEqual([
      ['maxTickets', null, '500'],
      ['maxPerWallet', null, '5'],
      ['maxTickets', '500', null],
    ])
  })

  test('leave the minimum within reach, whichever of them changes', async () => {
    const refused = (field: string) => ({ code: 'INVALID_VALUE', field })
    await expect(updateEvent(own.db, { maxTickets: 99 }, rules)).rejects.toMatchObject(refused('maxTickets'))
    await updateEvent(own.db, { maxTickets: 100 }, rules)
    await expect(updateEvent(own.db, { minTickets: 101 }, rules)).rejects.toMatchObject(
      refused('minTicketsForDraw'),
    )
    await expect(updateEvent(own.db, { maxPerWallet: 101 }, rules)).rejects.toMatchObject(
      refused('maxPerWallet'),
    )
    await updateEvent(own.db, { minTickets: 7, maxTickets: 7, maxPerWallet: 7 }, rules)
  })

  test('are locked since the first ticket, by the form and by the database', async () => {
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00 })])
    for (const field of ['maxTickets', 'maxPerWallet']) {
      await expect(updateEvent(own.db, { [field]: 500 }, rules)).rejects.toMatchObject({
        ...{ code: 'EVENT_LOCKED', field },
      })
      await expect(own.db.update(events).set({ [field]: 500 })).rejects.toThrow()
    }
    await updateEvent(own.db, { maxTickets: null, maxPerWallet: null }, rules)
  })

  test('that change judge the payments on record anew, as anyone would who rebuilds the list', async () => {
    await updateEvent(own.db, { maxPerWallet: 5 }, rules)
    const large = paid(event, { block: 2, cents: 18_00 })
    await foldTo(own.db, event, 5, [large])
    expect(await own.db.select().from(payments)).toMatchObject([{ reason: 'over_cap' }])
    await updateEvent(own.db, { maxPerWallet: 6 }, rules)
    expect(await own.db.select().from(payments)).toEqual([])
    await foldTo(own.db, event, 5, [large])
    expect(await own.db.select().from(payments)).toMatchObject([{ ticketNumber: 1, ticketCount: 6 }])
  })
})
