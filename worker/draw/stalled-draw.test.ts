import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RaffleError } from '../../core/errors.ts'
import { dueAnchors } from '../../db/draw/anchors.ts'
import { anchors, draws, workerRequests } from '../../db/schema/index.ts'
import { sendAllMined, setNextTime } from '../../e2e/lab/chain-verbs.ts'
import { type DrawWorld, drawAt, openDrawWorld, saleEndAt } from '../../e2e/lab/draw-story.ts'
import { anchorData, usdt, usdtGas } from '../../e2e/lab/usdt.ts'
import type { Chain } from '../chain/index.ts'
import { anchor } from './anchor.ts'

/** Anybody can move nothing from the operator to the operator, as often as he pays the fee. */
let world: DrawWorld
let sha256: Hex
let operator: Address

beforeEach(async () => {
  world = await openDrawWorld()
  await world.sell()
  sha256 = (await world.endSale()).ledgerSha256 as Hex
  operator = world.accounts[0] as Address
})
afterEach(() => world.close())

const nothing = () =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [operator, operator, 0n] })
const junk = () => world.send(4, nothing())
const requests = () => world.db.select().from(workerRequests)

test('a stranger who never stops making zero transfers in the name of the operator delays no draw', async () => {
  await junk()
  await world.reachDraw()
  await junk()
  await world.mine(3)
  await world.scan()
  // While one is looked at, the next one comes and is read.
  const chain: Chain = {
    ...world.deps.chain,
    transaction: async (hash) => {
      await junk()
      await world.mine(3)
      await world.scan()
      return world.deps.chain.transaction(hash)
    },
  }
  await world.draw({ chain })
  expect(await world.db.select().from(draws)).toHaveLength(1)
  expect(await requests()).toEqual([])
})

test('the anchor of the operator is found behind more than a hundred of a stranger in one step', async () => {
  const strangers = Array.from({ length: 120 }, () => ({
    from: world.accounts[4] as Address,
    to: usdt,
    data: nothing(),
    gas: usdtGas,
  }))
  await setNextTime(world.url, world.start + saleEndAt + 5)
  await sendAllMined(world.url, strangers)
  const hash = await world.sendAnchor(sha256, { at: drawAt - 10 })
  await world.mine(3)
  await world.scan()
  expect(await requests()).toMatchObject([{ kind: 'anchor', transactionHash: hash }])
  await anchor(world.deps, { eventNumber: 1 })
  expect(await world.db.select().from(anchors)).toMatchObject([{ transactionHash: hash }])
})

test('transactions of the operator before the sale end, after the draw date, with other data or again are no work', async () => {
  await world.send(0, anchorData(operator, `0x${'ab'.repeat(32)}`))
  const first = await world.sendAnchor(sha256, { at: saleEndAt + 20 })
  await world.mine(3)
  await world.scan()
  await anchor(world.deps, { eventNumber: 1 })
  await world.sendAnchor(sha256, { at: saleEndAt + 30 })
  await world.sendAnchor(sha256, { at: drawAt })
  await world.mine(3)
  await world.scan()
  expect((await requests()).map(({ transactionHash }) => transactionHash)).toEqual([first])
})

test('an anchor that no endpoint can show delays the draw by a moment at most', async () => {
  await world.sendAnchor(sha256, { at: drawAt - 10 })
  await world.reachDraw()
  expect(await dueAnchors(world.db)).toEqual([1])
  await world.draw({ chain: { ...world.deps.chain, transaction: () => new Promise(() => undefined) } })
  expect(await world.db.select().from(draws)).toHaveLength(1)
})

test('endpoints that do not show transactions stop neither scan nor draw', async () => {
  await world.sendAnchor(sha256, { at: drawAt - 10 })
  const transactions = () => Promise.reject(new RaffleError('RPC_UNAVAILABLE', 'no endpoint'))
  await world.mine(3)
  await world.scan({ chain: { ...world.deps.chain, transactions } })
  await world.reachDraw()
  await world.draw()
  expect(await world.db.select().from(draws)).toHaveLength(1)
})
