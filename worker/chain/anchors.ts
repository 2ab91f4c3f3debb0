import type { Address, Hash } from 'viem'
import { type Anchored, decodeAnchored } from '../../core/draw/anchored.ts'
import type { RpcLog } from '../../core/payment/payment.ts'
import { RpcFailure } from './failure.ts'

/** An anchor with its block; `blockTime` in seconds. */
export type TimedAnchor = PlacedAnchor & { blockTime: number }
type PlacedAnchor = Omit<Anchored, 'blockNumber'> & { blockNumber: bigint; blockHash: Hash }

/** Anchors of the event by these wallets. Throws RpcFailure for one that the register cannot have made. */
export function toAnchors(
  logs: readonly RpcLog[],
  { wallets, eventNumber }: { wallets: ReadonlySet<string>; eventNumber: number | undefined },
): PlacedAnchor[] {
  if (eventNumber === undefined) return []
  return logs.flatMap((log) => {
    const anchor = decoded(log)
    if (!anchor || anchor.eventNumber !== eventNumber || !wallets.has(anchor.wallet)) return []
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

/** What is looked for: the anchors of an event by any of `wallets`. */
export type AnchorWatch = { wallets: readonly Address[]; eventNumber: number }
