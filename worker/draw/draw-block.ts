import type { Hash } from 'viem'
import { drawBlocks } from '../../core/draw/draw.ts'
import { RaffleError } from '../../core/errors.ts'
import { noteDrawBlocks } from '../../db/draw/beacons.ts'
import { type AgreedBlock, lastLedgerBlock } from '../../db/draw/draws.ts'
import type { Event } from '../../db/event/events.ts'
import { pastLag } from '../chain/history.ts'
import type { Chain, Header, MinedHeader } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from '../payment/first-block.ts'

/**
 * The five blocks of a draw, D−4 … D, where D is the first block whose time is at least `time` (seconds), as
 * every endpoint that is not set aside has them. `head` is final and not before D; `above` a block that lies before D. Throws
 * RPC_DISAGREE when endpoints differ or the answers do not fit together. @internal
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

/** The five blocks of an event, as readDrawBlocks has them. `head` is final and not before D. */
export async function readBlocksOf(
  { db, chain }: Pick<Deps, 'db' | 'chain'>,
  event: Event,
  head: Header,
): Promise<AgreedBlock[]> {
  const time = (event.drawDate as Date).getTime() / 1000
  return readDrawBlocks(chain, time, head, await lastLedgerBlock(db, event.number))
}

/** As readBlocksOf, and notes them; those that were noted first stay. */
export const firstBlocks = async (deps: Deps, event: Event, head: Header): Promise<AgreedBlock[]> =>
  noteDrawBlocks(deps.db, event.number, await readBlocksOf(deps, event, head))

type Noted = { number: bigint; hash: Hash }

/**
 * The first of these blocks that was replaced below finality since. Nodes drop old ones, which are taken as they were noted then:
 * a draw that is days late does not wait for a node that keeps everything. Throws RPC_UNAVAILABLE and RPC_DISAGREE.
 */
export async function findReplaced<T extends Noted>(
  { chain }: Pick<Deps, 'chain'>,
  noted: readonly T[],
  head: Header,
): Promise<T | undefined> {
  const headers = await Promise.all(noted.map(({ number }) => readKept(chain, number, head)))
  return noted.find(({ hash }, index) => headers[index] && headers[index].hash !== hash)
}

/** Throws RPC_DISAGREE where one of them was replaced: nobody could find it on the chain. */
export async function expectKept(
  deps: Pick<Deps, 'chain'>,
  noted: readonly Noted[],
  head: Header,
): Promise<void> {
  const replaced = await findReplaced(deps, noted, head)
  if (replaced)
    throw new RaffleError('RPC_DISAGREE', 'A block that this draw takes was replaced.', {
      block: `${replaced.number}`,
    })
}

/** Undefined for a block that nodes may have dropped, each in its own words. */
async function readKept(chain: Chain, number: bigint, head: Header): Promise<Header | undefined> {
  const mayBeDropped = head.number - number > pastLag
  const header = await chain.header(number).catch((error) => {
    const isUntold = error instanceof RaffleError && error.code !== 'RPC_DISAGREE'
    if (!isUntold || !mayBeDropped) throw error
  })
  if (!header && !mayBeDropped)
    throw new RaffleError('RPC_UNAVAILABLE', 'The endpoints do not have a block yet that is final.', {
      block: `${number}`,
    })
  return header ?? undefined
}
