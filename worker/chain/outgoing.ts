import type { Address } from 'viem'
import { decodeEntry, type RegisterEntry } from '../../core/chain/register-log.ts'
import type { RpcLog, Transfer } from '../../core/payment/payment.ts'
import { RpcFailure } from './failure.ts'

/** `debtor`: whose refund it is, for a payment of the register that was looked for as outgoing. */
export type TimedTransfer = Transfer & { token: Address; debtor: Address | null; blockTime: number }
export type TimedEntry = RegisterEntry & { blockTime: number }

/** Entries of the register by these wallets in these tokens. Throws RpcFailure for one that it cannot have made. */
export function toEntries(
  logs: readonly RpcLog[],
  { wallets, tokens }: { wallets: ReadonlySet<string>; tokens: ReadonlySet<string> },
): RegisterEntry[] {
  return logs.flatMap((log) => {
    const entry = decoded(log)
    return entry && wallets.has(entry.wallet) && tokens.has(entry.token) ? entry : []
  })
}

function decoded(log: RpcLog): RegisterEntry | undefined {
  try {
    return decodeEntry(log)
  } catch {
    throw new RpcFailure('body')
  }
}

/**
 * The transfers, in chain order, each with the debtor whose refund it is by the register's log before it. A payment of the
 * register and its transfer stand in the chain together: throws RpcFailure where one is told without the other.
 */
export function joinPaid(
  transfers: readonly TimedTransfer[],
  entries: readonly RegisterEntry[],
): TimedTransfer[] {
  const debtors = new Map<TimedTransfer, Address>()
  const ofTransaction = Map.groupBy(transfers, ({ transactionHash }) => transactionHash)
  for (const entry of entries) {
    if (entry.kind === 'waived') continue
    const transfer = ofTransaction
      .get(entry.transactionHash)
      ?.find((one) => !debtors.has(one) && isMovedBy(one, entry))
    if (!transfer) throw new RpcFailure('body')
    debtors.set(transfer, entry.debtor)
  }
  return transfers.map((transfer) => ({ ...transfer, debtor: debtors.get(transfer) ?? null }))
}

const isMovedBy = (
  { token, from, to, value, logIndex }: TimedTransfer,
  { token: paidIn, wallet, payee, units, logIndex: place }: RegisterEntry,
): boolean => token === paidIn && from === wallet && to === payee && value === units && logIndex > place
