import { sql } from 'drizzle-orm'
import pino from 'pino'
import type { Hash } from 'viem'
import { addressKeys } from '../../core/address-list.ts'
import { parseEnv } from '../../core/server/env.ts'
import { openFirstEvent } from '../../db/event/environment.ts'
import { claimPayment, getClaim } from '../../db/payment/claims.ts'
import { reportPurchase } from '../../db/payment/purchases.ts'
import { connectChain } from '../../worker/chain/index.ts'
import type { Deps } from '../../worker/deps.ts'
import { verifyPayment } from '../../worker/payment/verify.ts'
import { openTestChain, operator } from './chain.ts'
import { withOtherPast } from './other-past.ts'
import { patient } from './test-time.ts'
import { usedDb } from './used-database.ts'

/** The hash of no transaction. */
export const invented = (n: number) => `0x7${n.toString(16).padStart(63, '0')}` as const

export type Sale = Awaited<ReturnType<typeof openSale>>

/** Event 1 on sale since the chain's first block, on a database and a chain of its own. */
export async function openSale(options: Parameters<typeof openTestChain>[0] = {}) {
  const [database, chain] = await Promise.all([usedDb(), openTestChain(options)])
  const { db } = database
  await openFirstEvent(db, { ...parseEnv({}), operatorWallet: operator })
  const { timestamp } = await chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['0x0', false])
  await startSaleAt(Number(timestamp))
  const log = pino({ level: 'silent' })
  const depsOn = (...urls: string[]): Deps => ({
    db: database.dbOf('worker'),
    log,
    chain: connectChain(urls, 56, patient),
  })

  async function startSaleAt(seconds: number): Promise<void> {
    await withOtherPast(db, (tx) => tx.execute(sql`update events set sale_start = to_timestamp(${seconds})`))
  }
  /** As if the time until the next attempt had passed. */
  async function skipWait(): Promise<void> {
    await db.execute(sql`update claims set next_attempt_at = now() where next_attempt_at is not null`)
  }

  return {
    ...{ db, chain, depsOn, startSaleAt, skipWait },
    databaseUrl: database.url,
    deps: depsOn(chain.url),
    /** What the buyer's browser does after the wallet has sent. */
    post: (hash: Hash, from?: string) =>
      claimPayment(db, {
        transactionHash: hash,
        walletAddress: null,
        quantity: null,
        amount: null,
        ...(from && { keys: addressKeys(from) }),
      }),
    claim: (hash: Hash) => getClaim(db, hash),
    report: (hash: Hash) => reportPurchase(db, hash),
    /** When the next attempt is due, by a newly started worker unless another is given: it knows nothing from before. */
    verify: async (hash: Hash, deps: Deps = depsOn(chain.url)) => {
      await skipWait()
      await verifyPayment(deps, { hashes: [hash] })
      return getClaim(db, hash)
    },
    close: async () => {
      await chain.stop()
      await database.close()
    },
  }
}
