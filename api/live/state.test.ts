import { expect, onTestFinished, test } from 'vitest'
import { type PublicFacts, phases } from '../../core/live/state.ts'
import { loadPublicFacts } from '../../db/report/public.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { openEvent } from '../../e2e/lab/ledger-story.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { createLiveState } from './state.ts'

const { db } = await forFile(testDb())
await openEvent(db)
const { facts } = (await loadPublicFacts(db)) as { facts: PublicFacts }
const saleEnd = Date.parse('2030-09-29T12:00:00Z')
const hour = 3_600_000
const event = { ...facts.event, hasStarted: true, saleEnd, drawDate: saleEnd + 24 * hour }

/** The live state of a database that answers with this version at this time, or not at all. */
function openState() {
  const database = { version: 7, now: saleEnd - hour, isGone: false, loads: 0 }
  const state = createLiveState({
    load: async () => {
      database.loads++
      if (database.isGone) throw new Error('gone')
      return { facts: { ...facts, event, version: database.version }, now: database.now }
    },
    salesPaused: false,
    onError: () => undefined,
  })
  const told: number[] = []
  const beats: boolean[] = []
  state.subscribe({
    change: ({ version }) => void told.push(version),
    beat: ({ stale }) => void beats.push(stale),
  })
  onTestFinished(() => state.stop())
  const beat = () => state.noteBeat({ version: database.version, now: database.now })
  return { database, state, told, beats, beat }
}
const versionOf = (stored: number, phase: (typeof phases)[number]) => stored * 16 + phases.indexOf(phase)

test('I22: a published version gives way to no older one: of a clock that was set back, or of a database that is behind', async () => {
  const { database, state, told, beat } = openState()
  await state.refresh()
  expect(state.version).toBe(versionOf(7, 'open'))
  database.now = saleEnd + hour
  beat()
  expect(told).toEqual([versionOf(7, 'ended')])
  database.now = saleEnd - hour
  beat()
  database.version = 6
  await state.refresh()
  expect([state.version, told]).toEqual([versionOf(7, 'ended'), [versionOf(7, 'ended')]])
  database.version = 8
  await state.refresh()
  expect(told).toEqual([versionOf(7, 'ended'), versionOf(8, 'open')])
})

test('after an outage in which nothing changed the first beat makes the state fresh again', async () => {
  const { database, state, beats, beat } = openState()
  await state.refresh()
  const { loads } = database
  beat()
  expect([database.loads, state.isStale]).toEqual([loads, false])
  database.isGone = true
  await state.refresh()
  expect([state.isStale, beats]).toEqual([true, [true]])
  database.isGone = false
  beat()
  expect(database.loads).toBe(loads + 2)
  await state.refresh()
  expect([state.isStale, beats]).toEqual([false, [true, false]])
})
