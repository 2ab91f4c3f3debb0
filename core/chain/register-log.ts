import { type Address, getAbiItem, type Hash, type Hex, toEventSelector } from 'viem'
import { type LogPlace, placeOf, type RpcLog } from '../payment/payment.ts'
import { register, registerAbi } from './register.ts'

export const paidTopic: Hex = toEventSelector(getAbiItem({ abi: registerAbi, name: 'Paid' }))

/** A `Paid` log: `wallet` paid `debtor`, who has now received `total` by the book. Every hexadecimal text is lower case. */
export type Paid = LogPlace & {
  book: Hex
  debtor: Address
  wallet: Address
  token: Address
  units: bigint
  total: bigint
}

/** Undefined for other contracts and events. Throws for a log that the register cannot have made: whoever tells it lies. */
export function decodePaid(log: RpcLog): Paid | undefined {
  if (log.removed || log.address.toLowerCase() !== register.address.toLowerCase()) return undefined
  const [topic, book, debtor, wallet, ...more] = log.topics
  if (topic !== paidTopic) return undefined
  if (!book || !debtor || !wallet || more.length > 0 || log.data.length !== 2 + 3 * 64)
    throw new Error('The register has no such log.')
  const [token = '', units, total] = log.data.slice(2).match(/.{64}/g) ?? []
  return {
    book: book.toLowerCase() as Hex,
    debtor: addressIn(debtor.slice(2)),
    wallet: addressIn(wallet.slice(2)),
    token: addressIn(token),
    units: BigInt(`0x${units}`),
    total: BigInt(`0x${total}`),
    ...placeOf(log),
    blockHash: log.blockHash.toLowerCase() as Hash,
  }
}

const addressIn = (word: string): Address => `0x${word.slice(24).toLowerCase()}`
