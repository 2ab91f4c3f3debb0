import { isNotNull, isNull } from 'drizzle-orm'
import type { Address, Hash, Hex } from 'viem'
import { expect, test } from 'vitest'
import { getScanCursor } from '../../db/event/sale.ts'
import { getBook } from '../../db/event/terms.ts'
import { getOutgoingCursor, markTransfer, noteReport, openReports } from '../../db/refund/facts.ts'
import { lineOf } from '../../db/refund/lines.ts'
import { loadSolvency } from '../../db/report/solvency.ts'
import { outgoingTransfers } from '../../db/schema/index.ts'
import { revertTo } from '../../e2e/lab/chain-verbs.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forEachTest, forTest } from '../../e2e/lab/opened.ts'
import { payUpTo } from '../../e2e/lab/refunds.ts'
import { book as otherBook } from '../../e2e/lab/register.ts'
import { patient } from '../../e2e/lab/test-time.ts'
import { transferData, usdtUnits } from '../../e2e/lab/usdt.ts'
import { watchWallet } from '../../e2e/lab/watch-wallet.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { connectChain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { watchRefunds } from './refunds.ts'

const world = forEachTest(() => openDrawWorld({ minTickets: 50 }))
const refundMinUnits = usdtUnits(0.1)
const watch = (change: Partial<Deps> = {}) => watchRefunds({ ...world.deps, refundMinUnits, ...change })
const account = (number: number) => world.accounts[number]?.toLowerCase() as Address
const owed = { 1: usdtUnits(99), 2: usdtUnits(3.5), 3: usdtUnits(15) }
const line = async (buyer: number) => {
  const found = await lineOf(world.db, account(buyer), refundMinUnits)
  return [found?.state, found?.due, found?.holds]
}
const transfers = () => world.db.select().from(outgoingTransfers).where(isNull(outgoingTransfers.total))
const paid = () => world.db.select().from(outgoingTransfers).where(isNotNull(outgoingTransfers.total))

/** Three buyers, too few tickets: the money of accounts 1, 2 and 3 goes back. */
async function miss(): Promise<void> {
  await world.toDraw()
  await world.draw()
  await watch()
}
/** What was sent is final, folded and read. */
async function settle(): Promise<void> {
  await world.mine(3)
  await world.scan()
  await watch()
}
const send = (from: number, to: number, units: bigint): Promise<Hash> =>
  world.send(from, transferData(account(to), units))
async function payByRegister(from: number, to: number, totals: readonly bigint[], book?: Hex): Promise<Hash> {
  return payUpTo(world.url, {
    ...{ from: account(from), book: book ?? ((await getBook(world.db)) as Hex) },
    ...{ debts: totals.map((total) => ({ debtor: account(to), total })), sum: totals.at(-1) as bigint },
  })
}
/** Two nodes of the chain; what the second one answers can be changed. */
async function twoNodes() {
  const [a, b] = [await forTest(hookRpc(world.url)), await forTest(hookRpc(world.url))]
  return { b, chain: connectChain([a.url, b.url], 56, patient) }
}

test('a plain transfer out of an operator wallet is recorded once, and holds the line of whoever received it', async () => {
  await miss()
  expect(await line(1)).toEqual(['due', owed[1], []])
  const hash = await send(0, 1, usdtUnits(40))
  await settle()
  await watch()
  expect(await transfers()).toMatchObject([
    { transactionHash: hash, wallet: account(0), recipient: account(1), units: usdtUnits(40) },
  ])
  expect(await line(1)).toEqual(['held', owed[1], ['transfer']])
  expect(await line(2)).toEqual(['due', owed[2], []])
})

test('what the register pays by our book counts from any wallet, as one fact a call; by another book it is nothing to us', async () => {
  await miss()
  await payByRegister(0, 2, [owed[2]], otherBook)
  const hash = await payByRegister(5, 1, [usdtUnits(40), owed[1]])
  await noteReport(world.db, hash, [account(1)])
  await world.scan()
  await watch()
  expect(await line(1)).toEqual(['sent', owed[1], []])
  await settle()
  expect(await paid()).toMatchObject([
    { transactionHash: hash, wallet: account(5), recipient: account(1), units: owed[1], total: owed[1] },
  ])
  expect(await line(1)).toEqual(['settled', 0n, []])
  expect(await openReports(world.db)).toEqual([])
  expect(await transfers()).toEqual([])
  expect(await line(2)).toEqual(['due', owed[2], []])
})

test('of a wallet that is new, what it sends since it is ours is read', async () => {
  await world.sendAt(5, 6, transferData(account(1), 2n))
  await miss()
  await watchWallet(world.db, account(6))
  await send(6, 1, 3n)
  await settle()
  expect(await transfers()).toMatchObject([{ wallet: account(6), recipient: account(1), units: 3n }])
})

test('a reorg takes back what was sent in the blocks that it replaced', async () => {
  await miss()
  await send(0, 1, 1n)
  await settle()
  const snapshot = await rpc<string>(world.url, 'evm_snapshot')
  await send(0, 2, 2n)
  await payByRegister(5, 3, [owed[3]])
  await settle()
  expect([await line(2), await line(3)]).toEqual([
    ['held', owed[2], ['transfer']],
    ['settled', 0n, []],
  ])
  await revertTo(world.url, snapshot)
  await send(0, 3, 3n)
  await world.mine(9)
  await settle()
  expect((await transfers()).map(({ recipient, units }) => [recipient, units])).toEqual([
    [account(1), 1n],
    [account(3), 3n],
  ])
  expect(await paid()).toEqual([])
  expect([await line(2), await line(3)]).toEqual([
    ['due', owed[2], []],
    ['held', owed[3], ['transfer']],
  ])
})

test('where two nodes differ nothing is written of what was sent, and the other parts go on: contracts are found', async () => {
  await world.toDraw()
  await world.draw()
  await rpc(world.url, 'anvil_setCode', [account(2), '0x6080'])
  await send(0, 1, 1n)
  await world.mine(3)
  await world.scan()
  const { b, chain } = await twoNodes()
  type Logs = { logs?: unknown[] }[]
  const emptied = (receipts: Logs) => receipts.map((receipt) => ({ ...receipt, logs: [] }))
  // Which transactions a block has, no receipt proves.
  const otherHashes = (block: { transactions: Hash[] }) => ({
    ...block,
    transactions: block.transactions.map((): Hash => `0x${'ab'.repeat(32)}`),
  })
  b.hook = ({ method }, result) => {
    if (method === 'eth_getLogs') return []
    if (method === 'eth_getBlockReceipts') return emptied(result as Logs)
    return method === 'eth_getBlockByNumber' && result ? otherHashes(result as never) : result
  }
  expect(await line(1)).toEqual(['held', owed[1], ['unchecked']])
  expect(await codeOf(watch({ chain }))).toMatch(/^RPC_(DISAGREE|UNAVAILABLE)$/)
  expect([await transfers(), await getOutgoingCursor(world.db)]).toEqual([[], undefined])
  expect(await line(1)).toEqual(['due', owed[1], []])
  expect(await line(2)).toEqual(['held', owed[2], ['contract']])
  // Logs alone are settled by the receipts whose hash is in the header.
  b.hook = ({ method }, result) => (method === 'eth_getLogs' ? [] : result)
  await watch({ chain })
  expect(await line(1)).toEqual(['held', owed[1], ['transfer']])
})

test('a transfer of a wallet that is not ours is read when it is marked, and final, and only as what it was', async () => {
  await miss()
  const hash = await send(7, 1, owed[1])
  const mark = (wallet: number, recipient: number) =>
    markTransfer(world.db, {
      ...{
        transactionHash: hash,
        wallet: account(wallet),
        recipient: account(recipient),
        markedAs: 'refund',
      },
    })
  await mark(7, 1)
  await mark(8, 1)
  await mark(7, 2)
  await watch()
  expect(await transfers()).toEqual([])
  await settle()
  expect(await transfers()).toMatchObject([{ wallet: account(7), recipient: account(1), units: owed[1] }])
  expect(await line(1)).toEqual(['settled', 0n, []])
  expect(await line(2)).toEqual(['due', owed[2], []])
})

test('what the wallets hold covers what is owed to the last unit; nodes that differ tell nothing', async () => {
  await miss()
  const before = await loadSolvency(world.db)
  const required = owed[1] + owed[2] + owed[3]
  expect(before).toMatchObject({ state: 'covered', required: `${required}` })
  const spare = BigInt(before.held as string) - required
  if (spare > 0n) await send(0, 9, spare)
  await settle()
  const covered = await loadSolvency(world.db)
  expect(covered).toMatchObject({ state: 'covered', held: `${required}`, required: `${required}` })
  await send(0, 9, 1n)
  await world.mine(3)
  await world.scan()
  const { b, chain } = await twoNodes()
  b.hook = ({ method }, result) => (method === 'eth_call' ? `0x${'ff'.repeat(32)}` : result)
  await watch({ chain })
  expect(await loadSolvency(world.db)).toEqual(covered)
  b.hook = (_, result) => result
  await watch({ chain })
  expect(await loadSolvency(world.db)).toMatchObject({
    ...{ state: 'short', held: `${required - 1n}`, required: `${required}` },
    block: { number: Number((await getScanCursor(world.db))?.height) },
  })
})
