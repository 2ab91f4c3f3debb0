import { sql } from 'drizzle-orm'
import { beforeEach, expect, test, vi } from 'vitest'
import { claimPayment } from '../../db/payment/claims.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { type HandClock, handClock } from '../../e2e/lab/hand-clock.ts'
import { alice, openEvent } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { paceScans } from './scan-pace.ts'

const own = forEachTest(testDb)
forEachTest(() => openEvent(own.db))
let clock: HandClock
let added: string[] = []
let ran = 0
let hasQueue = true
let tell: ((height: bigint) => Promise<void>) | undefined
beforeEach(() => {
  clock = handClock()
  added = []
  ran = 0
  hasQueue = true
  tell = undefined
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
    listen: (onHead) => {
      tell = onHead
      return {
        stop: () => {
          tell = undefined
        },
      }
    },
    ...clock,
    date: clock.now,
  })
const scanOf = (height: number) => expect.stringMatching(new RegExp(`^scan-head-${height}-\\d+$`))
const aBuyerWaits = () =>
  claimPayment(own.db, {
    transactionHash: `0x${'5'.repeat(64)}`,
    ...{ walletAddress: alice, quantity: null, amount: null },
  })
const nobodyWaits = () => own.db.execute(sql`delete from claims`)

/** As the worker's own clock does it; what it adds by itself is not looked at. */
async function listening() {
  const scans = open()
  await scans.atTick()
  added = []
  ran = 0
  return scans
}

test('a block that is told brings a scan at once while a buyer waits', async () => {
  await aBuyerWaits()
  await listening()
  await tell?.(7n)
  expect(added).toEqual([scanOf(7)])
})

test('nobody is asked to tell blocks while no buyer waits', async () => {
  await listening()
  expect(tell).toBeUndefined()
  await aBuyerWaits()
  const scans = await listening()
  expect(tell).toBeDefined()
  scans.stop()
  expect(tell).toBeUndefined()
})

test('half a minute after the last buyer nobody is asked to tell blocks any more', async () => {
  await aBuyerWaits()
  const scans = await listening()
  await nobodyWaits()
  clock.advance(30_000)
  await scans.atTick()
  expect(tell).toBeDefined()
  clock.advance(1)
  await scans.atTick()
  expect(tell).toBeUndefined()
})

test('a block that is told once nobody waits any more costs no question before its time', async () => {
  await aBuyerWaits()
  const scans = await listening()
  await nobodyWaits()
  await tell?.(7n)
  expect(added).toEqual([])
  await scans.atTick()
  expect(added).toEqual([expect.stringMatching(/^scan-1000-/)])
})

test('where blocks are told nothing is asked in between, and it goes on by itself when they end', async () => {
  await aBuyerWaits()
  const scans = await listening()
  await tell?.(7n)
  clock.advance(999)
  await scans.atTick()
  expect(added).toEqual([scanOf(7)])
  clock.advance(1)
  await scans.atTick()
  expect(added).toEqual([scanOf(7), expect.stringMatching(/^scan-400-\d+$/)])
})

test('a node that tells blocks without end brings no flood of scans', async () => {
  await aBuyerWaits()
  await listening()
  const followed = Array.from({ length: 50 }, (_, n) => tell?.(BigInt(n)))
  await clock.asleep(200)
  clock.advance(199)
  expect(added).toEqual([scanOf(0)])
  clock.advance(1)
  await Promise.all(followed)
  expect(added).toEqual([scanOf(0), scanOf(49)])
})

test('a node that tells blocks without end asks the database no more once nobody waits', async () => {
  await aBuyerWaits()
  await listening()
  await nobodyWaits()
  const asked = vi.spyOn(own.db, 'execute')
  for (let round = 0; round < 3; round++) {
    const followed = Array.from({ length: 20 }, (_, n) => tell?.(BigInt(n)))
    clock.advance(200)
    await Promise.all(followed)
  }
  expect(asked).toHaveBeenCalledTimes(3)
})

test('a job lost with a killed worker blocks no later one, whatever heights are told', async () => {
  await aBuyerWaits()
  await listening()
  await tell?.(7n)
  clock.advance(1_000)
  await tell?.(7n)
  expect(added).toHaveLength(2)
  expect(new Set(added).size).toBe(2)
})

test('what is stopped asks to be told no more, also in the middle of a tick', async () => {
  await aBuyerWaits()
  const scans = open()
  const ticking = scans.atTick()
  scans.stop()
  await ticking
  expect(tell).toBeUndefined()
  await scans.atTick()
  expect(tell).toBeUndefined()
})

test('without the queue the scan runs by itself', async () => {
  await aBuyerWaits()
  hasQueue = false
  await listening()
  await tell?.(7n)
  expect(ran).toBe(1)
})
