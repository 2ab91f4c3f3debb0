import { type Address, getAbiItem, type Hash, type Hex, numberToHex, pad, toEventSelector } from 'viem'
import { register, registerAbi } from '../chain/register.ts'
import type { RpcLog } from '../payment/payment.ts'

export const anchoredTopic: Hex = toEventSelector(getAbiItem({ abi: registerAbi, name: 'Anchored' }))

/** An `Anchored` log of the register: `wallet` sent it, so nobody else can make one in its name. In lower case. */
export type Anchored = {
  wallet: Address
  book: Hex
  eventNumber: number
  commitment: Hex
  blockNumber: number
  transactionHash: Hash
  logIndex: number
}

/** Topics of one query that finds every anchor of a book's event by these wallets. */
export const anchoredTopics = (
  wallets: readonly Address[],
  { book, eventNumber }: Pick<Anchored, 'book' | 'eventNumber'>,
) => [
  anchoredTopic,
  wallets.map((wallet) => pad(wallet.toLowerCase() as Address)),
  book,
  numberToHex(eventNumber, { size: 32 }),
]

/** The anchor in a log; undefined for any other log. Throws for one that the register cannot have made. */
export function decodeAnchored(log: RpcLog): Anchored | undefined {
  if (log.removed || log.address.toLowerCase() !== register.address.toLowerCase()) return undefined
  const [topic, wallet, book, number, ...more] = log.topics
  if (topic !== anchoredTopic) return undefined
  if (!wallet || !book || !number || more.length > 0 || log.data.length !== 66)
    throw new Error('The register has no such log.')
  return {
    wallet: `0x${wallet.slice(26).toLowerCase()}`,
    book: book.toLowerCase() as Hex,
    eventNumber: Number(number),
    commitment: log.data.toLowerCase() as Hex,
    blockNumber: Number(log.blockNumber),
    transactionHash: log.transactionHash.toLowerCase() as Hash,
    logIndex: Number(log.logIndex),
  }
}
