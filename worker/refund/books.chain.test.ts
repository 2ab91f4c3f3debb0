import { type Hex, pad } from 'viem'
import { expect, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { encodeAnchor } from '../../core/draw/anchor.ts'
import { unreadWallet } from '../../db/event/sale.ts'
import { isShut, openHouse } from '../../db/event/shut.ts'
import { getBook } from '../../db/event/terms.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forEachTest, forTest } from '../../e2e/lab/opened.ts'
import { patient } from '../../e2e/lab/test-time.ts'
import { usdtUnits } from '../../e2e/lab/usdt.ts'
import { connectChain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { watchRefunds } from './refunds.ts'

const world = forEachTest(() => openDrawWorld())
const watch = (change: Partial<Deps> = {}) =>
  watchRefunds({ ...world.deps, refundMinUnits: usdtUnits(0.1), ...change })
/** The operator wallet, account 0, in the book of another house. */
const anchorElsewhere = () => world.send(0, encodeAnchor(pad('0xb00c'), 3, pad('0xc0')), register.address)

test('a first event whose wallet served another house is shut, once, until somebody types that it may open', async () => {
  await anchorElsewhere()
  await world.mine(3)
  await watch()
  expect(await isShut(world.db)).toBe(true)
  await openHouse(world.db)
  await watch()
  expect(await isShut(world.db)).toBe(false)
})

test('what a wallet anchors in its own book shuts nothing', async () => {
  await world.send(0, encodeAnchor((await getBook(world.db)) as Hex, 1, pad('0xc0')), register.address)
  await world.mine(3)
  await watch()
  expect([await unreadWallet(world.db), await isShut(world.db)]).toEqual([undefined, false])
})

test('a node that tells no logs of the whole chain is asked for the last blocks', async () => {
  const node = await forTest(hookRpc(world.url))
  let refused = 0
  // Both questions of the first try.
  node.hook = ({ method }, result) => {
    if (method === 'eth_getLogs' && refused++ < 2) throw { code: -32005, message: 'block range too large' }
    return result
  }
  await anchorElsewhere()
  await world.mine(3)
  await watch({ chain: connectChain([node.url], 56, patient) })
  expect(await isShut(world.db)).toBe(true)
})
