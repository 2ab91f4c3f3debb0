import { beforeEach } from 'vitest'
import type { Clock } from '../../core/server/time.ts'
import { type Chain, connectChain } from '../../worker/chain/index.ts'
import { openTestChain, operator } from './chain.ts'
import { forFile } from './opened.ts'
import { startRpcProxy } from './rpc-proxy.ts'
import { usdt } from './usdt.ts'

export const watch = { tokens: [usdt], wallets: [operator] }

export type FaultyChain = Awaited<ReturnType<typeof openFaultyChain>>

/** Payments of one buyer, seven blocks apart, all final, and two endpoints of one chain, each of which can be made to fail. */
export async function openFaultyChain(amounts = [3_00, 6_00, 9_00]) {
  const chain = await openTestChain()
  const [a, b] = await Promise.all([startRpcProxy(chain.url), startRpcProxy(chain.url)])
  const payments: string[] = []
  for (const cents of amounts) {
    payments.push(await chain.submitPayment({ from: chain.buyers[0], cents }))
    await chain.mine(7)
  }
  await chain.finalize()
  return {
    ...{ chain, a, b, payments },
    one: (clock?: Partial<Clock>) => connectChain([a.url], 56, clock),
    two: (clock?: Partial<Clock>) => connectChain([a.url, b.url], 56, clock),
    stop: async () => {
      await Promise.all([a.stop(), b.stop()])
      await chain.stop()
    },
  }
}

/** One for the whole test file, whose endpoints tell the truth again before each test. */
export async function faultyChain(amounts?: number[]): Promise<FaultyChain> {
  const world = await forFile(openFaultyChain(amounts))
  beforeEach(() => {
    world.a.set()
    world.b.set()
  })
  return world
}

/** Hashes of the payments of the whole chain, by as many steps as it takes. */
export async function readAll(reader: Chain): Promise<string[]> {
  const head = (await reader.finalized()).number
  const found: string[] = []
  for (let from = 0n; from <= head; ) {
    const { end, transfers } = await reader.transfers(watch, { from, to: head, head })
    found.push(...transfers.map((transfer) => transfer.transactionHash))
    from = end.number + 1n
  }
  return found
}

/** The code of the error that a call ends with; undefined if it does not fail. */
export const codeOf = (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    (error) => error.code,
  )
