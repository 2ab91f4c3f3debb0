import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { writeBatch } from '../../db/refund/batch.ts'
import { listRefundRows } from '../../db/refund/list.ts'
import { offerRefunds } from '../../db/refund/offers.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { transferData, usdt, usdtGas } from '../../e2e/lab/usdt.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { connectChain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { scan } from '../payment/scan.ts'
import { prepareRefunds } from './prepare.ts'
import { watchRefunds } from './watch.ts'

const wallet = operatorAccount.toLowerCase() as Address
const scope = { kind: 'leftover', eventNumber: 1 } as const

const world = forEachTest(openDrawWorld)
const a = forEachTest(() => startRpcProxy(world.url))
const b = forEachTest(() => startRpcProxy(world.url))

const offer = async () => {
  const ids = (await listRefundRows(world.db, scope)).map(({ row }) => row.id)
  const nonce = Number(await rpc<string>(world.url, 'eth_getTransactionCount', [wallet, 'pending']))
  return world.db.transaction((tx) => offerRefunds(tx, { ids, wallet, nonce, transactions: ids.length }))
}

test.each([1, 2])(
  'two refunds in a block, one of them left out by each of %i endpoints: none is offered a second time',
  async (count) => {
    const deps: Deps = {
      ...world.deps,
      chain: connectChain(
        [a, b].slice(0, count).map(({ url }) => url),
        56,
      ),
    }
    await world.pay(1, 2_00, 10)
    await world.pay(2, 2_00, 20)
    await world.mine(3)
    await scan(deps)
    await watchRefunds(deps)
    await world.db.transaction((tx) => writeBatch(tx, { ...scope, minUnits: 0n }))
    await prepareRefunds({ ...deps, refundMinUnits: 0n }, {})
    const offered = await offer()
    expect(offered).toHaveLength(2)

    await rpc(world.url, 'evm_setAutomine', [false])
    for (const { to, units } of offered)
      await rpc(world.url, 'eth_sendTransaction', [
        { from: wallet, to: usdt, gas: usdtGas, data: transferData(to, BigInt(units)) },
      ])
    await world.mine(1)
    const block = await world.height()
    expect(await rpc(world.url, 'eth_getBlockByNumber', [`0x${block.toString(16)}`, false])).toMatchObject({
      transactions: [expect.any(String), expect.any(String)],
    })
    await world.mine(3)
    for (const proxy of [a, b]) proxy.set('missing-range-log')
    await watchRefunds(deps)

    expect((await listRefundRows(world.db, scope)).map(({ row }) => row.state)).toEqual([
      'settled',
      'settled',
    ])
    expect(await offer()).toEqual([])
  },
)
