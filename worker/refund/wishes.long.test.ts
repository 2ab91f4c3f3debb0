import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeBatch } from '../../db/refund/batch.ts'
import { uncheckedRows } from '../../db/refund/checks.ts'
import { askReaddress, getReaddress } from '../../db/refund/decisions.ts'
import { type DrawWorld, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { type HookRpc, hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { connectChain } from '../chain/index.ts'
import { prepareRefunds } from './prepare.ts'

let world: DrawWorld
let nodes: HookRpc[]

beforeEach(async () => {
  world = await openDrawWorld()
  nodes = [1, 2].map(() => hookRpc(world.url))
})
afterEach(async () => {
  await Promise.all(nodes.map(({ stop }) => stop()))
  await world.close()
})

test('a contract that answers every node otherwise holds up its own wish, and nobody else', async () => {
  await world.pay(1, 2_00, 10)
  await world.pay(2, 2_00, 11)
  await world.mine(3)
  await world.scan()
  await world.db.transaction((tx) => writeBatch(tx, { kind: 'leftover', eventNumber: 1, minUnits: 0n }))
  const [hostile, honest] = (await uncheckedRows(world.db, 10)) as [
    { id: number; payer: string },
    { id: number; payer: string },
  ]
  const wishFor = ({ id: rowId }: { id: number }) =>
    askReaddress(world.db, { rowId, recipient: `0x${'cd'.repeat(20)}`, signature: '0x12', waitMs: 60_000 })
  const [first, second] = [await wishFor(hostile), await wishFor(honest)]
  nodes.forEach((node, index) => {
    node.hook = ({ method, params }, result) =>
      method === 'eth_call' && (params[0] as { to: string }).to === hostile.payer ? `0x0${index}` : result
  })

  const chain = connectChain(
    nodes.map(({ url }) => url),
    56,
  )
  await prepareRefunds({ ...world.deps, chain, refundMinUnits: 0n }, {})
  expect(await uncheckedRows(world.db, 10)).toEqual([])
  expect(await getReaddress(world.db, first)).toMatchObject({ answeredAt: null })
  expect(await getReaddress(world.db, second)).toMatchObject({ answeredAt: expect.any(Date), proof: null })
})
