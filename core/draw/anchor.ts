import {
  type Address,
  concat,
  getAbiItem,
  type Hash,
  type Hex,
  numberToHex,
  pad,
  sha256,
  stringToHex,
  toEventSelector,
} from 'viem'
import { registerAbi, word } from '../chain/register.ts'
import { addressIn, wordsOf } from '../chain/register-log.ts'
import type { RpcLog } from '../payment/payment.ts'

/** What an anchor carries: SHA-256(terms line, its newline included ‖ the 32 bytes of the ledger's SHA-256). */
export const commitmentOf = (termsLine: string, ledgerSha256: Hex): Hex =>
  sha256(concat([stringToHex(termsLine), ledgerSha256]))

/** Calldata of the register's `anchor(bytes32,uint256,bytes32)`. Throws for what is no book, event or commitment. */
export function encodeAnchor(book: string, eventNumber: number, commitment: string): Hex {
  if (!isBytes32(book)) throw new TypeError('not a book')
  if (!Number.isSafeInteger(eventNumber) || eventNumber < 1) throw new TypeError('not an event')
  if (!isBytes32(commitment)) throw new TypeError('not a commitment')
  return `0x4dc409c2${word(book)}${word(BigInt(eventNumber))}${word(commitment)}`
}

const isBytes32 = (value: string): boolean => /^0x[0-9a-fA-F]{64}$/.test(value)

export const anchoredTopic: Hex = toEventSelector(getAbiItem({ abi: registerAbi, name: 'Anchored' }))

/** An `Anchored` log of the register: `wallet` sent it, so nobody else can make one in its name. In lower case. */
export type Anchored = NonNullable<ReturnType<typeof decodeAnchored>>

export const anchoredTopics = (
  wallets: readonly Address[],
  { book, eventNumber }: Pick<Anchored, 'book' | 'eventNumber'>,
) => [
  anchoredTopic,
  wallets.map((wallet) => pad(wallet.toLowerCase() as Address)),
  book,
  numberToHex(eventNumber, { size: 32 }),
]

export function decodeAnchored(log: RpcLog) {
  const words = wordsOf(log, anchoredTopic, 1)
  if (!words) return undefined
  const [wallet, book, number, commitment] = words as [Hex, Hex, Hex, Hex]
  return {
    ...{ wallet: addressIn(wallet), book, eventNumber: Number(number), commitment },
    blockNumber: Number(log.blockNumber),
    transactionHash: log.transactionHash.toLowerCase() as Hash,
    logIndex: Number(log.logIndex),
  }
}

/** What a worker last saw of the key in ANCHOR_KEY; wei as decimal strings. */
export type AnchorKeyReport = {
  address: Address
  balanceWei: string
  gasPriceWei: string
  /** `other`: something else than the register lies at its address, and nothing can be anchored. */
  register: 'there' | 'missing' | 'other'
}

/** An anchor uses some 26,000; a node wants to see the limit paid. */
export const anchorGas = 60_000n
/** With less than this many the dashboard and an alert ask for gas. */
export const fewAnchors = 20

export function anchorsLeft({
  balanceWei,
  gasPriceWei,
}: Pick<AnchorKeyReport, 'balanceWei' | 'gasPriceWei'>): number {
  const price = BigInt(gasPriceWei) * anchorGas
  return price === 0n ? Number.MAX_SAFE_INTEGER : Number(BigInt(balanceWei) / price)
}
