import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { entropies } from '../../core/event/event.ts'
import { parseTerms } from '../../core/event/terms.ts'
import { Killed, killedAt } from '../../e2e/lab/killed.ts'
import { bob, envTerms, openEvent, operator } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import type { Deps } from '../../worker/deps.ts'
import { events, settings } from '../schema/index.ts'
import { discardDraft, previewNext, saveDraft } from './draft.ts'
import { type Event, getOpenEvent } from './events.ts'
import { type DraftedTerms, emptyDraft, getDraft } from './next.ts'
import { termsOf } from './terms.ts'
import { openNextEvent, updateEvent } from './update.ts'

const rules = { terms: envTerms, pinnedWallet: undefined }
const chosen = { ...emptyDraft, drawDate: fromNow(7_200), minTickets: 7, autoDraw: false, claimDays: 60 }

const own = forEachTest(usedDb)
beforeEach(() => openEvent(own.db))

const seen = async (): Promise<number> => (await getDraft(own.db)).revision
const save = async (draft: Partial<DraftedTerms>, revision?: number) =>
  saveDraft(own.db, { ...emptyDraft, ...draft }, { terms: envTerms, revision: revision ?? (await seen()) })
const open = async (revision?: number) =>
  openNextEvent(own.db, { ...rules, draftRevision: revision ?? (await seen()) })
const opened = async () => (await getOpenEvent(own.db)) as Event
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'done',
    (error) => error.code,
  )

describe('the draft of the next event’s terms', () => {
  test('says what the next event will promise, and changes nothing of the open one', async () => {
    const before = await opened()
    await save(chosen)
    const { terms, line } = await previewNext(own.db, before, envTerms)
    expect(terms).toMatchObject({
      ...chosen,
      number: 2,
      operatorWallet: operator,
      entropy: 'blocks',
      winners: 1,
      prizes: [],
    })
    expect(parseTerms(line)).toMatchObject({
      ...{ eventNumber: '2', minTickets: '7', autoDraw: 'false', claimDays: '60', winners: '1' },
      drawDate: `${chosen.drawDate.getTime() / 1000}`,
      saleEnd: `${chosen.drawDate.getTime() / 1000 - 10}`,
    })
    expect(await opened()).toEqual(before)
  })

  test('takes what it leaves open from the environment, and the minimum from the event before', async () => {
    await updateEvent(own.db, { minTickets: 42 }, rules)
    const terms = { ...envTerms, autoDraw: false, claimDays: 14, ticketPrice: 5n * 10n ** 18n }
    const preview = await previewNext(own.db, await opened(), terms)
    expect(preview.terms).toMatchObject({
      ...{ minTickets: 42, autoDraw: false, claimDays: 14, ticketPrice: 5n * 10n ** 18n },
      ...{ entropy: 'blocks', winners: 1, drawDate: null },
    })
  })

  test('is refused with a draw date whose sale end has passed', async () => {
    expect(await codeOf(save({ drawDate: fromNow(9) }))).toBe('DATE_IN_PAST')
    expect(await getDraft(own.db)).toMatchObject({ drawDate: null, savedAt: null, revision: 1 })
  })

  test('never holds what no event can keep, whatever program writes it', async () => {
    for (const set of [
      ...[{ entropy: 'drand' as never }, { minTickets: 0 }, { claimDays: 6 }, { claimDays: 91 }],
    ])
      await expect(own.db.update(settings).set(set)).rejects.toMatchObject({ cause: { code: '23514' } })
  })

  test('of two administrators with the same page one saves, the other gets a conflict', async () => {
    const revision = await seen()
    const answers = await Promise.all([3, 4].map((minTickets) => codeOf(save({ minTickets }, revision))))
    expect(answers.sort()).toEqual(['VERSION_CONFLICT', 'done'])
  })

  test('that was discarded is gone, and its form is old: no revision comes twice', async () => {
    const revision = await seen()
    await save(chosen)
    expect(await codeOf(discardDraft(own.db, revision))).toBe('VERSION_CONFLICT')
    await discardDraft(own.db, await seen())
    expect(await getDraft(own.db)).toMatchObject({ ...emptyDraft, savedAt: null, revision: revision + 2 })
  })
})

describe('opening the next event', () => {
  beforeEach(endEvent)

  test('applies the draft in the same transaction and empties it', async () => {
    await save(chosen)
    const { event, archived } = await open()
    expect(archived).toBe(1)
    expect(event).toMatchObject({
      ...{ number: 2, minTickets: 7, autoDraw: false, claimDays: 60, drawDate: chosen.drawDate },
      saleEnd: new Date(chosen.drawDate.getTime() - 10_000),
    })
    expect(await getDraft(own.db)).toMatchObject({ ...emptyDraft, savedAt: null })
    const changes = await own.db.execute(sql`select field from changes where event_number = 2 order by id`)
    expect(changes.map(({ field }) => field)).toEqual(['drawDate', 'saleEndDate'])
  })

  test('takes what the call says before what the draft says', async () => {
    const drawDates = fc.integer({ min: 3_600, max: 9_999_999 }).map(fromNow)
    const minimum = fc.integer({ min: 1, max: 10_000_000 })
    const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined })
    const draft = fc.record({
      ...{
        drawDate: fc.option(drawDates),
        minTickets: fc.option(minimum),
        autoDraw: fc.option(fc.boolean()),
      },
      claimDays: fc.option(fc.integer({ min: 7, max: 90 })),
      entropy: fc.constantFrom(null, ...entropies),
    })
    const call = fc.record({ drawDate: drawDates, minTickets: maybe(minimum) })
    await fc.assert(
      fc.asyncProperty(draft, call, async (draft, call) => {
        await endEvent()
        await save(draft)
        const over = await opened()
        const { event } = await updateEvent(own.db, call, rules)
        const expected = {
          ...{ number: over.number + 1, drawDate: call.drawDate },
          entropy: draft.entropy ?? 'blocks',
          minTickets: call.minTickets ?? draft.minTickets ?? over.minTickets,
          autoDraw: draft.autoDraw ?? envTerms.autoDraw,
          claimDays: draft.claimDays ?? envTerms.claimDays,
        }
        expect(event).toMatchObject(expected)
        expect(parseTerms(await termsOf(own.db, event))).toMatchObject({
          ...{ eventNumber: `${expected.number}`, minTickets: `${expected.minTickets}` },
          ...{ autoDraw: `${expected.autoDraw}`, claimDays: `${expected.claimDays}` },
          entropy: expected.entropy,
        })
        expect(await getDraft(own.db)).toMatchObject(emptyDraft)
      }),
      { numRuns: 12 },
    )
  })

  test('another wallet of the call counts together with the draft', async () => {
    await save(chosen)
    const drawDate = fromNow(3_600)
    const { event } = await updateEvent(own.db, { drawDate, operatorWallet: bob }, rules)
    expect(event).toMatchObject({ operatorWallet: bob, drawDate, minTickets: 7 })
  })

  test('with a draft whose date has become past opens nothing and keeps the draft', async () => {
    await save(chosen)
    await own.db.update(settings).set({ drawDate: fromNow(5) })
    const before = [await opened(), await getDraft(own.db)]
    await expect(open()).rejects.toMatchObject({ code: 'DATE_IN_PAST', field: 'drawDate' })
    expect([await opened(), await getDraft(own.db)]).toEqual(before)
  })

  test('asks for a draw date, an event that is over, and the draft as it was seen', async () => {
    expect(await codeOf(open())).toBe('INVALID_VALUE')
    await save(chosen)
    expect(await codeOf(open(1))).toBe('VERSION_CONFLICT')
    await open()
    await save(chosen)
    expect(await codeOf(open())).toBe('EVENT_LOCKED')
  })

  test('that dies at any moment has either opened it with the whole draft or left all as it was', async () => {
    await save(chosen)
    const before = [await opened(), await getDraft(own.db)]
    for (let step = 0; ; step++) {
      const { db } = killedAt({ db: own.db, chain: {} } as Deps, step)
      const outcome = await openNextEvent(db, { ...rules, draftRevision: await seen() }).catch((e) => e)
      const after = [await opened(), await getDraft(own.db)] as const
      if (after[0].number === 1) {
        expect(outcome).toBeInstanceOf(Killed)
        expect(after).toEqual(before)
        continue
      }
      expect(after).toMatchObject([
        { number: 2, minTickets: 7, autoDraw: false, claimDays: 60, drawDate: chosen.drawDate },
        emptyDraft,
      ])
      break
    }
  })

  test('at the moment of a save applies that draft whole, or the save gets a conflict', async () => {
    await save({ minTickets: 1, claimDays: 10 })
    for (let round = 0; round < 8; round++) {
      await endEvent()
      const revision = await seen()
      const [saved] = await Promise.all([
        codeOf(save({ minTickets: 5, claimDays: 50 }, revision)),
        updateEvent(own.db, { drawDate: fromNow(3_600) }, rules),
      ])
      const { minTickets, claimDays } = await opened()
      expect([saved, minTickets, claimDays]).toEqual(
        saved === 'done' ? ['done', 5, 50] : ['VERSION_CONFLICT', 1, 10],
      )
      expect(await getDraft(own.db)).toMatchObject(emptyDraft)
      await save({ minTickets: 1, claimDays: 10 })
    }
  })
})

/** The open event ended a moment ago without a ticket; one that has ended stays as it is. */
async function endEvent(): Promise<void> {
  const drawDate = fromNow(-1)
  await own.db
    .update(events)
    .set({
      ...{ drawDate, saleEnd: new Date(drawDate.getTime() - 10_000) },
      saleStart: new Date(drawDate.getTime() - 20_000),
      ...{ frozenAt: drawDate, ledgerSha256: '0x00', ledgerLines: 0 },
    })
    .where(sql`${events.archivedAt} is null and ${events.frozenAt} is null`)
}
