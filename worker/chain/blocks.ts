import { numberToHex } from 'viem'
import { saysForgotten } from '../../core/chain/first-block.ts'
import type { Endpoint } from './endpoint.ts'
import { RpcFailure } from './failure.ts'
import { type Block, toBlock } from './shapes.ts'

export type BlockTag = 'finalized' | 'latest'

/** What two endpoints must say alike of a block. */
export const blockPrint = ({ number, hash, parent, timestamp }: Block): string =>
  `${number} ${hash} ${parent} ${timestamp}`
export const blocksPrint = (blocks: readonly Block[]): string => blocks.map(blockPrint).join('\n')

/** Undefined when this endpoint does not know the block, or does not know it any more. */
export async function readBlock(endpoint: Endpoint, at: bigint | BlockTag): Promise<Block | undefined> {
  const name = typeof at === 'string' ? at : numberToHex(at)
  const answer = await endpoint.ask('eth_getBlockByNumber', [name, false]).catch((error: unknown) => {
    const isForgotten = error instanceof RpcFailure && error.kind === 'rpc' && error.says(saysForgotten)
    if (isForgotten && typeof at !== 'string') return null
    throw error
  })
  return toBlock(answer, typeof at === 'string' ? undefined : at)
}

/** In the order given. Throws RpcFailure `behind` when this endpoint lacks one of them. */
export async function readBlocks(endpoint: Endpoint, numbers: readonly bigint[]): Promise<Block[]> {
  const answers = await endpoint.askMany(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] })),
  )
  return answers.map((answer, index) => {
    const block = toBlock(answer, numbers[index])
    if (!block) throw new RpcFailure('behind')
    return block
  })
}
