import { type Address, getAbiItem, type Hash, type Hex, toEventSelector } from 'viem'
import type { RpcLog } from '../payment/payment.ts'
import { register, registerAbi } from './register.ts'

export const paidTopic: Hex = toEventSelector(getAbiItem({ abi: registerAbi, name: 'Paid' }))
export const waivedTopic: Hex = toEventSelector(getAbiItem({ abi: registerAbi, name: 'Waived' }))

/** What the register says that it remembers from then on; every hexadecimal text is lower case. */
export type RegisterEntry = {
  kind: 'paid' | 'waived'
  wallet: Address
  token: Address
  debtor: Address
  /** Null for what was waived. */
  payee: Address | null
  /** Null for what was waived: the log names the total alone. */
  units: bigint | null
  total: bigint
  blockNumber: bigint
  blockHash: Hash
  transactionHash: Hash
  transactionIndex: number
  logIndex: number
}

/**
 * The entry in a log; undefined for other contracts and other events of the register. Throws for one that the register
 * cannot have made: its code is known, so whoever tells it lies.
 */
export function decodeEntry(log: RpcLog): RegisterEntry | undefined {
  if (log.removed || log.address.toLowerCase() !== register.address.toLowerCase()) return undefined
  const [topic, wallet, debtor, ...more] = log.topics
  const isPaid = topic === paidTopic
  if (!isPaid && topic !== waivedTopic) return undefined
  const words = log.data.slice(2).match(/.{64}/g) ?? []
  if (!wallet || !debtor || more.length > 0 || log.data.length !== 2 + 64 * (isPaid ? 4 : 2))
    throw new Error('The register has no such log.')
  const [token, payee, amount, total] = isPaid ? words : [words[0], undefined, undefined, words[1]]
  return {
    kind: isPaid ? 'paid' : 'waived',
    wallet: addressIn(wallet.slice(2)),
    token: addressIn(token),
    debtor: addressIn(debtor.slice(2)),
    payee: payee === undefined ? null : addressIn(payee),
    units: amount === undefined ? null : BigInt(`0x${amount}`),
    total: BigInt(`0x${total}`),
    blockNumber: BigInt(log.blockNumber),
    blockHash: log.blockHash.toLowerCase() as Hash,
    transactionHash: log.transactionHash.toLowerCase() as Hash,
    transactionIndex: Number(log.transactionIndex),
    logIndex: Number(log.logIndex),
  }
}

const addressIn = (word = ''): Address => `0x${word.slice(24).toLowerCase()}`
