import { isNotNull } from 'drizzle-orm'
import fc from 'fast-check'
import pino from 'pino'
import { type Address, type Hash, keccak256, toHex } from 'viem'
import { test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { parseEnv, usdtOnBsc } from '../../core/server/env.ts'
import { openFirstEvent, watchWallet } from '../../db/event/events.ts'
import { proveWallet } from '../../db/event/own-wallets.ts'
import { dueClaims } from '../../db/payment/claim-checks.ts'
import { claimPayment } from '../../db/payment/claims.ts'
import { claims } from '../../db/schema/index.ts'
import { operatorAccount, startChain } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { connectChain } from '../../worker/chain/index.ts'
import type { Deps } from '../../worker/deps.ts'
import { scan } from '../../worker/payment/scan.ts'
import { verifyPayment } from '../../worker/payment/verify.ts'
import { watchRefunds } from '../../worker/refund/watch.ts'
import { accountsOf, heightOf, mine as mineBlocks, sendMined, setNextTime } from '../lab/chain-verbs.ts'
import { type TestDb, testDb } from '../lab/database.ts'
import { Killed, killedAt } from '../lab/killed.ts'
import { transferData, usdtGas } from '../lab/usdt.ts'
import { expectBalances, expectInvariants } from './invariants.ts'

/**
 * A seeded random run on the real database and chain: people pay and claim, blocks come and are replaced,
 * workers die at any await. Run more with SEEDS=200; a failing seed is printed and goes into `regressions`.
 */
const seeds = Number(process.env.SEEDS ?? 12)
const regressions: number[] = []

/** The account of a wallet that sold before and is still watched; that of account 0 sells. */
const former = 9

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      buyer: fc.integer({ min: 1, max: 5 }),
      toFormer: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      cents: fc.integer({ min: 0, max: 40_00 }),
      post: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('claim rubbish' as const), n: fc.integer({ min: 0, max: 3 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('replace' as const), depth: fc.integer({ min: 1, max: 64 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('scan' as const),
      dieAt: fc.option(fc.integer({ min: 0, max: 14 })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('verify' as const),
      dieAt: fc.option(fc.integer({ min: 0, max: 8 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('two workers' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      isFormer: fc.boolean(),
      /** A buyer, or one of our own wallets. */
      to: fc.constantFrom(1, 2, former, 0),
      cents: fc.integer({ min: 1, max: 20_00 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('prove' as const), isFormer: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('watch' as const),
      dieAt: fc.option(fc.integer({ min: 0, max: 8 })),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

test.each([...regressions, ...Array.from({ length: seeds }, (_, n) => n + 1)])(
  'I1-I10, I31: after any sequence of faults ledger and books equal the chain (seed %i)',
  async (seed) => {
    const steps = fc.sample(fc.array(step, { minLength: 15, maxLength: 40 }), {
      seed,
      numRuns: 1,
    })[0] as Step[]
    const world = await openWorld()
    try {
      for (const next of steps) await world.act(next)
      await world.settle()
      await expectInvariants(world.db, world.url, usdtOnBsc)
      await expectBalances(world.db, world.url, usdtOnBsc, world.opening)
    } catch (error) {
      throw new Error(`seed ${seed}: ${JSON.stringify(steps)}`, { cause: error })
    } finally {
      await world.close()
    }
  },
  120_000,
)

type World = {
  db: TestDb['db']
  url: string
  /** Height of the last block before the sale. */
  opening: number
  act: (step: Step) => Promise<void>
  settle: () => Promise<void>
  close: () => Promise<void>
}

async function openWorld(): Promise<World> {
  const [own, chain] = await Promise.all([testDb(), startChain({ blockTime: null })])
  const { db } = own
  const { url } = chain
  const terms = { ...parseEnv({}), operatorWallet: operatorAccount }
  const event = await openFirstEvent(db, terms)
  await setNextTime(url, (event?.saleStart.getTime() ?? 0) / 1000)
  const mine = (blocks: number) => mineBlocks(url, blocks)
  const height = () => heightOf(url)
  const accounts = await accountsOf(url)
  await mine(1)
  const deps: Deps = { db, chain: connectChain([url], 56), log: pino({ level: 'silent' }) }
  const started = await height()
  const walletOf = (isFormer: boolean) =>
    (accounts[isFormer ? former : 0] as Address).toLowerCase() as Address
  await watchWallet(db, walletOf(true))

  async function act(next: Step): Promise<void> {
    switch (next.do) {
      case 'pay': {
        const hash = await transfer(next.buyer, walletOf(next.toFormer), next.cents)
        if (next.post) await claim(hash)
        return
      }
      case 'claim rubbish':
        return claim(keccak256(toHex(`rubbish ${next.n}`)))
      case 'mine':
        return mine(next.blocks)
      case 'replace': {
        // the reorg stays within the sale, so anvil keeps the earlier blocks
        const depth = Math.min(next.depth, (await height()) - started - 1)
        if (depth > 0) await rpc(url, 'anvil_reorg', [depth, []])
        return
      }
      case 'scan':
        return unlessKilled(() => scan(next.dieAt === null ? deps : killedAt(deps, next.dieAt)))
      case 'verify':
        for (const hash of await dueClaims(db, 100))
          await unlessKilled(() =>
            verifyPayment(next.dieAt === null ? deps : killedAt(deps, next.dieAt), { hashes: [hash] }),
          )
        return
      case 'send':
        await transfer(next.isFormer ? former : 0, accounts[next.to] as Address, next.cents)
        return
      case 'prove':
        return proveWallet(db, 1, walletOf(next.isFormer))
      case 'watch':
        return unlessKilled(() => watchRefunds(next.dieAt === null ? deps : killedAt(deps, next.dieAt)))
      case 'two workers':
        await Promise.all([unlessKilled(() => scan(deps)), unlessKilled(() => scan(deps))])
    }
  }

  async function transfer(from: number, to: Address, cents: number): Promise<Hash> {
    const data = transferData(to, unitsOf(cents))
    return sendMined(url, { from: accounts[from] as Address, to: usdtOnBsc, data, gas: usdtGas })
  }

  async function claim(hash: Hash): Promise<void> {
    const post = () =>
      claimPayment(db, {
        transactionHash: hash,
        walletAddress: `0x${'bad'.padEnd(40, '0')}`,
        quantity: 9_999,
        amount: 1,
      })
    await Promise.all([post(), post()])
  }

  return {
    db,
    url,
    opening: started - 1,
    act,
    settle: async () => {
      await mine(3)
      await scan(deps)
      await scan(deps)
      await watchRefunds(deps)
      await db
        .update(claims)
        .set({ nextAttemptAt: new Date(0) })
        .where(isNotNull(claims.nextAttemptAt))
      for (const hash of await dueClaims(db, 1_000)) await verifyPayment(deps, { hashes: [hash] })
      await scan(deps)
    },
    close: async () => {
      await chain.stop()
      await own.close()
    },
  }
}

/** A worker's own errors must be temporary ones; being killed is not an error. */
async function unlessKilled(act: () => Promise<unknown>): Promise<void> {
  await act().catch((error) => {
    if (!(error instanceof Killed)) throw error
  })
}
