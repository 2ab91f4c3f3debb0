import { drawBlocks } from '../../core/draw/draw.ts'
import { RaffleError } from '../../core/errors.ts'
import type { Chain, Header, MinedHeader } from '../chain/index.ts'
import { firstBlockSince } from '../payment/first-block.ts'

/**
 * The five blocks of a draw, D−4 … D, where D is the first block whose time is at least `time` (seconds), as
 * every endpoint that is not set aside has them. `head` is final and not before D; `above` a block that lies before D. Throws
 * RPC_DISAGREE when endpoints differ or the answers do not fit together.
 */
export async function readDrawBlocks(
  chain: Chain,
  time: number,
  head: Header,
  above: bigint,
): Promise<MinedHeader[]> {
  const drawBlock = await firstBlockSince(chain, time, head, above)
  const first = drawBlock - BigInt(drawBlocks - 1)
  if (first < 0n) throw new RaffleError('NOT_FINAL', 'The chain is too young for a draw.')
  const headers = await chain.agreedHeaders(Array.from({ length: drawBlocks }, (_, i) => first + BigInt(i)))
  const isRight = headers.every((header, i) => {
    const isInOrder = i === 0 || header.timestamp >= (headers[i - 1] as Header).timestamp
    return (
      header.number === first + BigInt(i) && isInOrder && header.timestamp >= time === (i === drawBlocks - 1)
    )
  })
  if (!isRight)
    throw new RaffleError('RPC_DISAGREE', 'The endpoints do not agree on the draw block.', {
      drawBlock: `${drawBlock}`,
    })
  return headers
}
