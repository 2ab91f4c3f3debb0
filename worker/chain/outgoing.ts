import type { Address, Hash, Hex } from 'viem'
import { decodePaid, type Paid } from '../../core/chain/register-log.ts'
import { type Anchored, decodeAnchored } from '../../core/draw/anchor.ts'
import type { RpcLog, Transfer } from '../../core/payment/payment.ts'
import { RpcFailure } from './failure.ts'

export type TimedTransfer = Transfer & { token: Address; blockTime: number }
export type TimedPaid = Paid & { blockTime: number }
type PlacedAnchor = Omit<Anchored, 'blockNumber'> & { blockNumber: bigint; blockHash: Hash }
export type TimedAnchor = PlacedAnchor & { blockTime: number }

/** What the register paid in these tokens. Throws RpcFailure for a log that it cannot have made. */
export function toPaid(logs: readonly RpcLog[], tokens: ReadonlySet<string>): Paid[] {
  return logs.flatMap((log) => {
    const paid = decoded(decodePaid, log)
    return paid && tokens.has(paid.token) ? paid : []
  })
}

/** What any wallet has anchored in this book. Throws RpcFailure for a log that the register cannot have made. */
export function toAnchors(logs: readonly RpcLog[], book: Hex): PlacedAnchor[] {
  return logs.flatMap((log) => {
    const anchor = decoded(decodeAnchored, log)
    if (anchor?.book !== book.toLowerCase()) return []
    return { ...anchor, blockNumber: BigInt(log.blockNumber), blockHash: log.blockHash }
  })
}

function decoded<T>(decode: (log: RpcLog) => T | undefined, log: RpcLog): T | undefined {
  try {
    return decode(log)
  } catch {
    throw new RpcFailure('body')
  }
}

/**
 * The transfers that the register did not make; both in chain order, and `paid` from the same wallets. A `Paid` log and its
 * transfer stand in the chain together: throws RpcFailure where the log is told alone.
 */
export function plainTransfers(transfers: readonly TimedTransfer[], paid: readonly Paid[]): TimedTransfer[] {
  const byRegister = new Set<TimedTransfer>()
  const ofTransaction = Map.groupBy(transfers, ({ transactionHash }) => transactionHash)
  for (const log of paid) {
    const made = ofTransaction
      .get(log.transactionHash)
      ?.find((transfer) => !byRegister.has(transfer) && isMadeBy(transfer, log))
    if (!made) throw new RpcFailure('body')
    byRegister.add(made)
  }
  return transfers.filter((transfer) => !byRegister.has(transfer))
}

const isMadeBy = (transfer: TimedTransfer, { token, wallet, debtor, units, logIndex }: Paid): boolean =>
  transfer.token === token &&
  transfer.from === wallet &&
  transfer.to === debtor &&
  transfer.value === units &&
  transfer.logIndex > logIndex
