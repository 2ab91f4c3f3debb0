import type { Address, Hash } from 'viem'
import { type Anchored, decodeAnchored } from '../../core/draw/anchored.ts'
import type { RpcLog } from '../../core/payment/payment.ts'
import { RpcFailure } from './failure.ts'

/** An anchor with its block; `blockTime` in seconds. */
export type TimedAnchor = PlacedAnchor & { blockTime: number }
type PlacedAnchor = Omit<Anchored, 'blockNumber'> & { blockNumber: bigint; blockHash: Hash }

/** Anchors of the book's event by these wallets. Throws RpcFailure for one that the register cannot have made. */
export function toAnchors(
  logs: readonly RpcLog[],
  { wallets, of }: { wallets: ReadonlySet<string>; of: AnchoredEvent },
): PlacedAnchor[] {
  return logs.flatMap((log) => {
    const anchor = decoded(log)
    const isOf = anchor?.book === of.book && anchor.eventNumber === of.eventNumber
    if (!isOf || !wallets.has(anchor.wallet)) return []
    return [{ ...anchor, blockNumber: BigInt(log.blockNumber), blockHash: log.blockHash }]
  })
}

function decoded(log: RpcLog): Anchored | undefined {
  try {
    return decodeAnchored(log)
  } catch {
    throw new RpcFailure('body')
  }
}

/** `book` in lower case. */
export type AnchoredEvent = Pick<Anchored, 'book' | 'eventNumber'>
/** What is looked for: the anchors of a book's event by any of `wallets`. */
export type AnchorWatch = AnchoredEvent & { wallets: readonly Address[] }
