import type { Address } from 'viem'
import { decodePaid, type Paid } from '../../core/chain/register-log.ts'
import type { RpcLog, Transfer } from '../../core/payment/payment.ts'
import { RpcFailure } from './failure.ts'

export type TimedTransfer = Transfer & { token: Address; blockTime: number }
export type TimedPaid = Paid & { blockTime: number }

/** What the register paid in these tokens. Throws RpcFailure for a log that it cannot have made. */
export function toPaid(logs: readonly RpcLog[], tokens: ReadonlySet<string>): Paid[] {
  return logs.flatMap((log) => {
    const paid = decoded(log)
    return paid && tokens.has(paid.token) ? paid : []
  })
}

function decoded(log: RpcLog): Paid | undefined {
  try {
    return decodePaid(log)
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
