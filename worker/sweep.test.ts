import { sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { expect, test, vi } from 'vitest'
import { connectJobs } from '../core/server/queue.ts'
import { claimPayment, getClaim } from '../db/payment/claims.ts'
import { testDb } from '../e2e/lab/database.ts'
import { alice } from '../e2e/lab/ledger-story.ts'
import { forFile } from '../e2e/lab/opened.ts'
import { sweep } from './sweep.ts'

const own = await forFile(testDb())
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
  const hourMs = 3_600_000
  const begin = Math.ceil(Date.now() / hourMs) * hourMs
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const [old, young] = [await giveUp(1, 31), await giveUp(2, 29)]
    vi.setSystemTime(begin - 2_000)
    await sweep({ db: own.dbOf('worker'), jobs })
    expect(await getClaim(own.db, old)).toBeDefined()
    vi.setSystemTime(begin + 1_999)
    await sweep({ db: own.dbOf('worker'), jobs })
    expect(await getClaim(own.db, old)).toBeUndefined()
    expect(await getClaim(own.db, young)).toBeDefined()
  } finally {
    vi.useRealTimers()
  }
})
