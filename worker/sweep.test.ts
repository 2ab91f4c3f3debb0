import { sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { expect, test } from 'vitest'
import { connectJobs } from '../core/server/queue.ts'
import { claimPayment, getClaim } from '../db/payment/claims.ts'
import { type Line, tellLine } from '../db/payment/rewind.ts'
import { payments } from '../db/schema/index.ts'
import { alice, foldTo, openEvent, paid } from '../e2e/lab/ledger-story.ts'
import { forFile } from '../e2e/lab/opened.ts'
import { usedDb } from '../e2e/lab/used-database.ts'
import { sweep } from './sweep.ts'

const own = await forFile(usedDb())
const place = { redisUrl: undefined, databaseUrl: own.urlOf('worker') }
const jobs = await forFile(connectJobs(place, () => undefined))

/** Posted so many days ago, and given up. */
async function giveUp(n: number, days: number): Promise<Hash> {
  const transactionHash: Hash = `0x${n.toString(16).padStart(64, '0')}`
  await claimPayment(own.db, { transactionHash, walletAddress: alice, quantity: 1, amount: 300 })
  await own.db.execute(sql`
    update claims set status = 'not_found', next_attempt_at = null, created_at = now() - ${`${days} days`}::interval
    where transaction_hash = ${transactionHash}`)
  return transactionHash
}

test('once an hour a sweep forgets what was given up a month ago, with the rights of a worker', async () => {
  const hour = Date.UTC(2026, 0, 1, 12)
  const sweepAt = (time: number) => sweep({ db: own.dbOf('worker'), jobs, now: () => time })
  const [old, young] = [await giveUp(1, 31), await giveUp(2, 29)]
  await sweepAt(hour - 1)
  expect(await getClaim(own.db, old)).toBeDefined()
  await sweepAt(hour + 1_999)
  expect(await getClaim(own.db, old)).toBeUndefined()
  expect(await getClaim(own.db, young)).toBeDefined()
})

test('once a minute a sweep has lines asked about that the chain had lost', async () => {
  const event = await openEvent(own.db)
  await foldTo(own.db, event, 6, [paid(event, { block: 4, cents: 3_00 })])
  const asked = async (time: number) => {
    const names: string[] = []
    const queue = { enqueue: async (name: string) => names.push(name) > 0 }
    await sweep({ db: own.dbOf('worker'), jobs: queue, now: () => time })
    return names.includes('lost-lines')
  }
  const [line] = await own.db.select().from(payments)
  const minute = 60_000
  expect(await asked(minute)).toBe(false)
  await tellLine(own.db, line as Line, 'lost')
  expect([await asked(minute), await asked(minute + 2_000)]).toEqual([true, false])
})
