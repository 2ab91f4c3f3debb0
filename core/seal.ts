import { type Hash, hexToBytes, isHex, keccak256, toRlp } from 'viem'

type Fields = Readonly<Record<string, unknown>>
type Field = readonly [name: string, kind: 'bytes' | 'quantity']

/** The fields of a header in the order in which they are hashed. */
const first: readonly Field[] = [
  ['parentHash', 'bytes'],
  ['sha3Uncles', 'bytes'],
  ['miner', 'bytes'],
  ['stateRoot', 'bytes'],
  ['transactionsRoot', 'bytes'],
  ['receiptsRoot', 'bytes'],
  ['logsBloom', 'bytes'],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'bytes'],
  ['mixHash', 'bytes'],
  ['nonce', 'bytes'],
]
/** What forks have added, each behind all before it: a header has these up to its fork. */
const added: readonly Field[] = [
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', 'bytes'],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['requestsHash', 'bytes'],
]

/**
 * The hash that the fields of a block's header give, as JSON-RPC tells them; undefined where one of them is missing or no
 * hexadecimal text. With fields of a fork that is not known here it is another hash than the block's.
 */
export function headerHash(told: Fields): Hash | undefined {
  const count = added.findIndex(([name]) => told[name] === undefined || told[name] === null)
  const fields = [...first, ...added.slice(0, count === -1 ? added.length : count)]
  const values = fields.map(([name, kind]) => encode(told[name], kind))
  return values.every((value) => value !== undefined) ? keccak256(toRlp(values, 'bytes')) : undefined
}

/**
 * True when the hash of a block is that of its header's fields: its number, time, parent, miner and bloom filter are then
 * those of this hash, whoever told them. False for a false header and for one with fields of a fork that is not known here.
 */
export const isSealed = (told: Fields): boolean => headerHash(told) === `${told.hash}`.toLowerCase()

/** As RLP takes it: a quantity without leading zeros. Undefined for anything else than hexadecimal text. */
function encode(value: unknown, kind: Field[1]): Uint8Array | undefined {
  if (!isHex(value)) return undefined
  const digits = kind === 'bytes' ? value.slice(2) : value.slice(2).replace(/^0+/, '')
  if (kind === 'bytes' && digits.length % 2 !== 0) return undefined
  return hexToBytes(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`)
}
