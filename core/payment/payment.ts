import type { Address, Hash, Hex } from 'viem'

/** keccak256("Transfer(address,address,uint256)"), topic 0 of every ERC-20 transfer. */
export const transferTopic: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

export type RpcLog = {
  address: Address
  topics: Hex[]
  data: Hex
  blockNumber: Hex
  blockHash: Hash
  transactionHash: Hash
  transactionIndex: Hex
  logIndex: Hex
  blockTimestamp?: Hex
  removed?: boolean
}

/** Where a log stands. */
export const placeOf = (log: RpcLog) => ({
  blockNumber: BigInt(log.blockNumber),
  blockHash: log.blockHash,
  transactionHash: log.transactionHash.toLowerCase() as Hash,
  transactionIndex: Number(log.transactionIndex),
  logIndex: Number(log.logIndex),
})

/** A genuine USDT transfer; addresses and hash in lower case. */
export type Transfer = ReturnType<typeof placeOf> & { from: Address; to: Address; value: bigint }

/** All transfers of one payer to one operator wallet in one transaction, summed. */
export type Payment = {
  transactionHash: Hash
  payer: Address
  wallet: Address
  units: bigint
  blockNumber: bigint
  blockHash: Hash
  transactionIndex: number
  firstLogIndex: number
}

/** A payment with the time of its block, in seconds. */
export type FoundPayment = Payment & { blockTime: number }

export type PaymentStatus = 'received' | 'confirming' | 'credited' | 'rejected' | 'not_found'
export const paymentReasons = [
  'late',
  'early',
  'underpaid',
  'reverted',
  'no_transfer',
  'wrong_token',
  'old_wallet',
  'held',
  'full',
  'missed',
] as const
export type PaymentReason = (typeof paymentReasons)[number]

/** The transfer in a log; undefined for other contracts, other shapes and zero values. */
export function decodeTransfer(log: RpcLog, token: Address): Transfer | undefined {
  if (log.removed || log.address.toLowerCase() !== token.toLowerCase()) return undefined
  const [topic, from, to, ...more] = log.topics
  if (topic !== transferTopic || more.length > 0) return undefined
  if (from?.length !== 66 || to?.length !== 66 || log.data.length !== 66) return undefined
  const value = BigInt(log.data)
  if (value === 0n) return undefined
  return {
    ...placeOf(log),
    from: `0x${from.slice(26).toLowerCase()}`,
    to: `0x${to.slice(26).toLowerCase()}`,
    value,
  }
}

/** Payments to any of `wallets`, in chain order: block, transaction index, first log. */
export function groupPayments(transfers: readonly Transfer[], wallets: ReadonlySet<string>): Payment[] {
  const groups = new Map<string, Payment>()
  for (const t of transfers) {
    if (!wallets.has(t.to)) continue
    const key = `${t.transactionHash}:${t.from}:${t.to}`
    const group = groups.get(key)
    if (group) {
      group.units += t.value
      group.firstLogIndex = Math.min(group.firstLogIndex, t.logIndex)
    } else {
      groups.set(key, {
        transactionHash: t.transactionHash,
        payer: t.from,
        wallet: t.to,
        units: t.value,
        blockNumber: t.blockNumber,
        blockHash: t.blockHash,
        transactionIndex: t.transactionIndex,
        firstLogIndex: t.logIndex,
      })
    }
  }
  return [...groups.values()].sort(byChainOrder)
}

const byChainOrder = (
  a: Pick<Payment, 'blockNumber' | 'transactionIndex' | 'firstLogIndex'>,
  b: Pick<Payment, 'blockNumber' | 'transactionIndex' | 'firstLogIndex'>,
): number =>
  a.blockNumber !== b.blockNumber
    ? a.blockNumber < b.blockNumber
      ? -1
      : 1
    : a.transactionIndex - b.transactionIndex || a.firstLogIndex - b.firstLogIndex

/** A payment is all that one payer sent to one wallet in one transaction. */
export const keyOf = ({
  transactionHash,
  payer,
  wallet,
}: Pick<Payment, 'transactionHash' | 'payer' | 'wallet'>): string =>
  [transactionHash, payer, wallet].join(' ')

/** As two readings of a payment have to tell it; its block may be another one with the same transactions. */
export const lineOf = (payment: Payment): string =>
  [
    ...[payment.blockNumber, payment.transactionIndex, payment.firstLogIndex, payment.transactionHash],
    ...[payment.payer, payment.wallet, payment.units],
  ].join()
