import { expect, test } from 'vitest'
import { contentSha256 } from '../../core/content/promised.ts'
import { unitsOf } from '../../core/money.ts'
import { aContent, aPrize } from '../../e2e/lab/content.ts'
import { eachOpenEvent } from '../../e2e/lab/event-form.ts'
import { type Event, getOpenEvent } from '../event/events.ts'
import { events } from '../schema/index.ts'
import { changeContent } from './contents.ts'

const { own } = eachOpenEvent()
const refused = { cause: { code: '23001' } }
const goods = { kind: 'goods' as const, units: null }
const money = { kind: 'token' as const, units: `${unitsOf(500_00)}` }
const three = aContent({ prizes: [aPrize({ copies: 2 }), aPrize({ kind: 'token', amount: 500_00 })] })

async function save(content = three): Promise<Event> {
  const { revision } = (await getOpenEvent(own.db)) as Event
  return changeContent(own.db, content, { revision })
}

test('I40: a program of a release that knows no contents changes neither winners nor prizes under one', async () => {
  expect(await save()).toMatchObject({ winners: 3, prizes: [goods, goods, money] })
  const change = (set: Partial<typeof events.$inferInsert>) => own.db.update(events).set(set)
  await expect(change({ winners: 1, prizes: [] })).rejects.toMatchObject(refused)
  await expect(change({ winners: 4 })).rejects.toMatchObject(refused)
  await expect(change({ prizes: [goods, money] })).rejects.toMatchObject(refused)
  await expect(change({ prizes: [goods, goods, { ...money, units: '1' }] })).rejects.toMatchObject(refused)
  const content = aContent()
  await expect(change({ content, contentSha256: contentSha256(content) })).rejects.toMatchObject(refused)
  // What else it sets, and the same again, is its own affair.
  await change({ winners: 3, prizes: [goods, goods, money], claimDays: 40 })
  expect(await save(aContent())).toMatchObject({ winners: 1, prizes: [], claimDays: 40 })
})

test('an event without a content has the winners and prizes that its terms say', async () => {
  await own.db.update(events).set({ winners: 5, prizes: [money] })
  expect(await getOpenEvent(own.db)).toMatchObject({ winners: 5, prizes: [money], contentSha256: null })
})
