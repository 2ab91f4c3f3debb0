import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { decodeTransfer, type FoundPayment, groupPayments } from '../../core/payment.ts'
import type { Chain } from '../chain.ts'

/** Payments to any of `wallets` in the final blocks `from` to `to`, with their block times, in chain order. */
export async function readPayments(
  chain: Chain,
  token: Address,
  wallets: readonly Address[],
  from: bigint,
  to: bigint,
): Promise<FoundPayment[]> {
  if (wallets.length === 0) return []
  const logs = await chain.transferLogs(token, wallets, from, to)
  const transfers = logs.flatMap((log) => decodeTransfer(log, token) ?? [])
  const found = groupPayments(transfers, new Set(wallets))
  const heights = [...new Set(found.map((payment) => payment.blockNumber))]
  const headers = new Map((await chain.headers(heights)).map((header) => [header.number, header]))
  return found.map((payment) => {
    const header = headers.get(payment.blockNumber)
    if (header?.hash !== payment.blockHash)
      throw new RaffleError('RPC_DISAGREE', 'Logs and blocks do not agree.', {
        height: `${payment.blockNumber}`,
      })
    return { ...payment, blockTime: header.timestamp }
  })
}
