import type { Address, Hex } from 'viem'
import { openTestChain, operator, type TestChain } from '../../e2e/lab/chain.ts'
import { callData } from '../../e2e/lab/contracts.ts'

export type CrowdChain = TestChain & { token: Address; payments: number; firstTime: number }

const price = 3n * 10n ** 18n

/**
 * A chain with many payments of many payers: `crowded` transactions of 500 payments each, and `single` ones,
 * each in a block of its own and spread evenly over `blocks` blocks.
 */
export async function openCrowdChain({
  crowded = 200,
  single = 4_500,
  blocks = 8_800,
} = {}): Promise<CrowdChain> {
  const chain = await openTestChain()
  const [alice] = chain.buyers
  const token = await chain.deploy(alice, 'Crowd')
  const { timestamp } = await chain.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])
  const start = await chain.height()
  const transactions = crowded + single
  let payer = 2n ** 100n
  for (let n = 0; n < transactions; n++) {
    const isCrowd = share(n + 1, crowded, transactions) > share(n, crowded, transactions)
    const payers = isCrowd ? 500n : 1n
    const data = callData('Crowd', 'pay', [payer, payers, operator, price])
    payer += payers
    await chain.submit({ from: alice, to: token, data, gas: isCrowd ? 20_000_000n : 200_000n })
    const height = Number(start) + share(n + 1, blocks, transactions)
    await chain.mine(height - Number(await chain.height()))
  }
  await chain.finalize()
  return { ...chain, token, payments: crowded * 500 + single, firstTime: Number(timestamp) }
}

/** How many of `all` fall into the first `n` of `of` parts. */
const share = (n: number, all: number, of: number): number => Math.floor((n * all) / of)
