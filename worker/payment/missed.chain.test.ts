import { asc } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { expect, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { getScanCursor } from '../../db/event/sale.ts'
import { updateEvent } from '../../db/event/update.ts'
import { claimPayment, getClaim } from '../../db/payment/claims.ts'
import { fingerprintLedger } from '../../db/payment/ledger.ts'
import { refundInfo } from '../../db/refund/dues.ts'
import { draws, payments } from '../../db/schema/index.ts'
import { heightOf } from '../../e2e/lab/chain-verbs.ts'
import { drawAt, openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { listChanges } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { daysFromNow } from '../../e2e/lab/test-time.ts'
import { rpc } from '../../infra/local/rpc.ts'
import type { Deps } from '../deps.ts'
import { scan } from './scan.ts'
import { verifyPayment } from './verify.ts'

/** I5: money that the scan has passed gets on record all the same, and back to its payer. */
const world = forEachTest(openDrawWorld)

/** Endpoints that say nothing of one payer. */
const without = (buyer: number): Deps => {
  const { chain, ...deps } = world.deps
  const payer = world.accounts[buyer]?.toLowerCase()
  return {
    ...deps,
    chain: {
      ...chain,
      transfers: async (...asked) => {
        const reading = await chain.transfers(...asked)
        return { ...reading, transfers: reading.transfers.filter(({ from }) => from !== payer) }
      },
      readAgain: async function* (...asked) {
        for await (const reading of chain.readAgain(...asked))
          yield { ...reading, transfers: reading.transfers.filter(({ from }) => from !== payer) }
      },
    },
  }
}

/** Final, and read without this buyer's payment. */
async function scanWithout(buyer: number): Promise<void> {
  await world.mine(3)
  await scan(without(buyer))
}

/** The buyer posts the hash, and a worker looks at it. */
async function post(hash: Hash) {
  await claimPayment(world.db, { transactionHash: hash })
  await verifyPayment(world.deps, { hashes: [hash] })
  return getClaim(world.db, hash)
}

const record = async () =>
  (await world.db.select().from(payments).orderBy(asc(payments.blockNumber))).map(
    ({ payer, reason, ticketNumber, ticketCount }) => [
      world.accounts.findIndex((account) => account.toLowerCase() === payer),
      reason,
      ticketNumber,
      ticketCount,
    ],
  )
const owed = async (eventNumber = 1) => (await refundInfo(world.db, eventNumber)).totalAmount
const publicLedger = async () =>
  (await listChanges(world.db)).filter(({ field }) => field === 'ledger').map(({ to }) => to)

/** Three buyers, and a fourth of whom the endpoints say nothing; drawn. */
async function drawnWithout(buyer: number): Promise<Hash> {
  const hash = await world.pay(buyer, 30_00, 5)
  await world.sell()
  await scanWithout(buyer)
  await world.endSale(without(buyer))
  await world.reachDraw()
  await world.draw()
  expect(await world.db.select().from(draws)).toHaveLength(1)
  return hash
}

test('a payment that turns up after the draw is missed: no ticket, the draw stays, the money goes back', async () => {
  const hash = await drawnWithout(4)
  const before = await fingerprintLedger(world.db, 1)
  expect(await post(hash)).toMatchObject({ status: 'rejected', reason: 'missed', nextAttemptAt: null })
  expect(await record()).toEqual([
    [4, 'missed', null, 0],
    [1, null, 1, 33],
    [2, null, 34, 1],
    [3, null, 35, 5],
  ])
  expect(await owed()).toBe(30_00)
  expect(await fingerprintLedger(world.db, 1)).toEqual(before)
  expect(await world.event()).toMatchObject({ ticketsSold: 39, refundModeAt: null })
  expect((await publicLedger())[0]).toBe(`missed: ${hash}`)
})

test('late money that nobody saw is recorded without a new fold, so the event is drawn', async () => {
  await world.sell()
  const { ledgerSha256 } = await world.endSale()
  const late = await world.pay(4, 30_00, saleEndAt + 10)
  await scanWithout(4)
  await world.reachDraw()
  expect(await post(late)).toMatchObject({ status: 'rejected', reason: 'late' })
  expect(await world.event()).toMatchObject({ ledgerSha256, haltedAt: null, refundModeAt: null })
  await world.draw()
  expect(await world.db.select().from(draws)).toHaveLength(1)
  expect(await owed()).toBe(30_00)
})

test('a hole in the first block of a sale is folded anew, though the block before is much older', async () => {
  await world.mine(2)
  const hash = await world.pay(4, 30_00, 60)
  await world.pay(1, 3_00, 70)
  await scanWithout(4)
  expect(await record()).toEqual([[1, null, 1, 1]])
  await post(hash)
  await world.scan()
  expect(await record()).toEqual([
    [4, null, 1, 10],
    [1, null, 11, 1],
  ])
})

test('late money around an archive with a new wallet is on record, though the scan was behind', async () => {
  await world.endSale()
  const late = await world.pay(4, 30_00, drawAt + 30)
  await world.mine(3)
  await openSecondEvent({ operatorWallet: world.accounts[9] as Address })
  await world.scan()
  expect(await record()).toEqual([[4, 'late', null, 0]])
  expect(await owed(1)).toBe(30_00)
  expect(await post(late)).toMatchObject({ status: 'rejected', reason: 'late' })
})

test('the scan goes on after a block was replaced below finality under a drawn event', async () => {
  await world.drawn()
  await world.mine(20)
  await world.scan()
  const ledger = await fingerprintLedger(world.db, 1)
  await rpc(world.url, 'anvil_reorg', [10, []])
  const late = await world.pay(4, 30_00, drawAt + 120)
  await world.mine(3)
  await world.scan()
  await world.scan()
  expect((await record()).at(-1)).toEqual([4, 'late', null, 0])
  expect(await owed()).toBe(30_00)
  expect((await getScanCursor(world.db))?.height).toBe(BigInt((await heightOf(world.url)) - 2))
  expect(await fingerprintLedger(world.db, 1)).toEqual(ledger)
  expect(await world.event()).toMatchObject({ ticketsSold: 39, haltedAt: null, refundModeAt: null })
  expect((await publicLedger())[0]).toContain('replaced below finality')
  expect(await post(late)).toMatchObject({ status: 'rejected', reason: 'late' })
})

test('a late payment that a reorg has moved to another block under a drawn event stays on record once', async () => {
  await world.drawn()
  const late = await world.pay(4, 30_00, drawAt + 30)
  await world.mine(5)
  await world.scan()
  const raw = await rpc(world.url, 'eth_getRawTransactionByHash', [late])
  await rpc(world.url, 'anvil_reorg', [6, [[raw, 2]]])
  await world.mine(5)
  await world.scan()
  await world.scan()
  expect((await record()).at(-1)).toEqual([4, 'late', null, 0])
  expect(await record()).toHaveLength(4)
  expect(await owed()).toBe(30_00)
  const [row] = await world.db.select().from(payments).orderBy(asc(payments.id)).offset(3)
  const block = await rpc<{ hash: Hash }>(world.url, 'eth_getBlockByNumber', [
    `0x${row?.blockNumber.toString(16)}`,
    false,
  ])
  expect(row?.blockHash).toBe(block.hash)
})

const openSecondEvent = (patch: { operatorWallet?: Address } = {}) =>
  updateEvent(
    world.db,
    { drawDate: daysFromNow(7), ...patch },
    {
      terms: { ...parseEnv({}), operatorWallet: undefined },
      pinnedWallet: undefined,
    },
  )
