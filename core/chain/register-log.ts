import { type Address, getAbiItem, type Hash, type Hex, toEventSelector } from 'viem'
import { placeOf, type RpcLog } from '../payment/payment.ts'
import { register, registerAbi } from './register.ts'

export const paidTopic: Hex = toEventSelector(getAbiItem({ abi: registerAbi, name: 'Paid' }))

/**
 * The words of a log of the register in lower case, the indexed ones first; undefined for other contracts and events. Throws for
 * a log that the register cannot have made: whoever tells it lies.
 */
export function wordsOf(log: RpcLog, topic: Hex, inData: number): Hex[] | undefined {
  if (log.removed || log.address.toLowerCase() !== register.address.toLowerCase()) return undefined
  const [first, ...indexed] = log.topics
  if (first !== topic) return undefined
  if (indexed.length !== 3 || log.data.length !== 2 + inData * 64)
    throw new Error('The register has no such log.')
  const data = log.data.slice(2).match(/.{64}/g) ?? []
  return [...indexed, ...data.map((word): Hex => `0x${word}`)].map((word) => word.toLowerCase() as Hex)
}

export const addressIn = (word: Hex): Address => `0x${word.slice(26)}`

/** A `Paid` log: `wallet` paid `debtor`, who has now received `total` by the book. */
export type Paid = NonNullable<ReturnType<typeof decodePaid>>

export function decodePaid(log: RpcLog) {
  const words = wordsOf(log, paidTopic, 3)
  if (!words) return undefined
  const [book, debtor, wallet, token, units, total] = words as [Hex, Hex, Hex, Hex, Hex, Hex]
  return {
    ...{ book, debtor: addressIn(debtor), wallet: addressIn(wallet), token: addressIn(token) },
    ...{ units: BigInt(units), total: BigInt(total) },
    ...placeOf(log),
    blockHash: log.blockHash.toLowerCase() as Hash,
  }
}
