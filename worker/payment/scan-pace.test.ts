import { sql } from 'drizzle-orm'
import { beforeEach, expect, test, vi } from 'vitest'
import { claimPayment } from '../../db/payment/claims.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, openEvent } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { until } from '../../e2e/lab/until.ts'
import { paceScans } from './scan-pace.ts'

const own = forEachTest(testDb)
forEachTest(() => openEvent(own.db))
let added: string[] = []
let ran = 0
let hasQueue = true
let tell: ((height: bigint) => void) | undefined
beforeEach(() => {
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
  })
const scanOf = (height: number) => expect.stringMatching(new RegExp(`^scan-head-${height}-\\d+$`))
const aBuyerWaits = () =>
  claimPayment(own.db, {
    transactionHash: `0x${'5'.repeat(64)}`,
    ...{ walletAddress: alice, quantity: null, amount: null },
  })

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
  tell?.(7n)
  await until(() => added.length > 0, 'a scan')
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

test('a block that is told once nobody waits any more costs no question before its time', async () => {
  await aBuyerWaits()
  const scans = await listening()
  await own.db.execute(sql`delete from claims`)
  tell?.(7n)
  await until(async () => {
    await scans.atTick()
    return added.length > 0
  }, 'the scan of its own time')
  expect(added).toEqual([expect.stringMatching(/^scan-1000-/)])
})

test('where blocks are told nothing is asked in between, and it goes on by itself when they end', async () => {
  await aBuyerWaits()
  const scans = await listening()
  tell?.(7n)
  await until(() => added.length > 0, 'a scan')
  await scans.atTick()
  await scans.atTick()
  expect(added).toEqual([scanOf(7)])
  await until(async () => {
    await scans.atTick()
    return added.length > 1
  }, 'a scan without a head')
  expect(added.at(-1)).toMatch(/^scan-400-\d+$/)
})

test('a node that tells blocks without end brings no flood of scans', async () => {
  await aBuyerWaits()
  const scans = await listening()
  for (let n = 0; n < 50; n++) tell?.(BigInt(n))
  await until(() => added.length > 0, 'a scan')
  await scans.atTick()
  expect(added).toEqual([scanOf(0)])
})

test('a block that is told right after another one is read as soon', async () => {
  await aBuyerWaits()
  await listening()
  tell?.(7n)
  await until(() => added.length === 1, 'a scan')
  tell?.(8n)
  await until(() => added.length === 2, 'the next scan')
  expect(added).toEqual([scanOf(7), scanOf(8)])
})

test('a node that tells blocks without end asks the database no more once nobody waits', async () => {
  await aBuyerWaits()
  await listening()
  await own.db.execute(sql`delete from claims`)
  const asked = vi.spyOn(own.db, 'execute')
  const until = performance.now() + 500
  for (let n = 0; performance.now() < until; n++) {
    tell?.(BigInt(n))
    await Bun.sleep(1)
  }
  expect(asked.mock.calls.length).toBeLessThanOrEqual(3)
})

test('a job lost with a killed worker blocks no later one, whatever heights are told', async () => {
  await aBuyerWaits()
  await listening()
  for (const count of [1, 2]) {
    tell?.(7n)
    await until(() => added.length === count, 'a scan')
    if (count === 1) await Bun.sleep(1_000)
  }
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
  tell?.(7n)
  await until(() => ran > 0, 'a scan')
})
