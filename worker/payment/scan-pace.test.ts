import { beforeEach, expect, test } from 'vitest'
import { claimPayment } from '../../db/payment/claims.ts'
import { type HandClock, handClock } from '../../e2e/lab/hand-clock.ts'
import { alice, openEvent } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { paceScans } from './scan.ts'

const own = forEachTest(usedDb)
forEachTest(() => openEvent(own.db))
let clock: HandClock
let added: string[] = []
let ran = 0
let hasQueue = true
beforeEach(() => {
  clock = handClock()
  added = []
  ran = 0
  hasQueue = true
})

const open = () =>
  paceScans({
    db: own.db,
    jobs: {
      enqueue: async (_name, _payload, options) => {
        if (hasQueue) added.push(`${options?.jobId}`)
        return hasQueue
      },
    },
    run: async () => {
      ran++
    },
    now: clock.now,
    date: clock.now,
  })
const aBuyerWaits = () =>
  claimPayment(own.db, {
    transactionHash: `0x${'5'.repeat(64)}`,
    ...{ walletAddress: alice, quantity: null, amount: null },
  })

test('a scan comes every 0.4 s while a buyer waits, and else every 1.25 s, once in its time whoever asks', async () => {
  const scans = open()
  for (let tick = 0; tick < 5; tick++, clock.advance(400)) await scans.atTick()
  const idle = added.length
  expect(new Set(added).size).toBe(idle)
  expect(idle).toBeLessThan(4)
  await aBuyerWaits()
  for (let tick = 0; tick < 5; tick++, clock.advance(400)) await scans.atTick()
  expect(added.slice(idle)).toEqual(Array.from({ length: 5 }, () => expect.stringMatching(/^scan-400-\d+$/)))
  expect(new Set(added).size).toBe(idle + 5)
})

test('one that fails again and again comes less than once a second, and soon again once it does not', async () => {
  await aBuyerWaits()
  const scans = open()
  const fail = () => Promise.reject(new Error('endpoints differ'))
  for (const end = clock.now() + 60_000; clock.now() < end; clock.advance(100)) {
    const before = added.length
    await scans.atTick()
    if (added.length > before) await scans.paced(fail).catch(() => undefined)
  }
  expect(added.length).toBeLessThan(60)
  expect(added.length).toBeGreaterThan(30)
  const failed = added.length
  clock.advance(1_500)
  for (let tick = 0; tick < 5; tick++, clock.advance(400)) {
    await scans.atTick()
    await scans.paced(async () => undefined)
  }
  expect(added).toHaveLength(failed + 5)
})

test('without the queue the scan runs by itself', async () => {
  await aBuyerWaits()
  hasQueue = false
  await open().atTick()
  expect(ran).toBe(1)
})
