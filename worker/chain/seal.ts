import { type Hex, isHex, keccak256, toRlp } from 'viem'

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
 * True when the hash of a block, as JSON-RPC tells it, is that of its header's fields: its number, time, parent and
 * bloom filter are then those of this hash, whoever told them. False for a false header and for one with fields of a
 * fork that is not known here.
 */
export function isSealed(told: Fields): boolean {
  const count = added.findIndex(([name]) => told[name] === undefined || told[name] === null)
  const fields = [...first, ...added.slice(0, count === -1 ? added.length : count)]
  const values = fields.map(([name, kind]) => encode(told[name], kind))
  if (!values.every((value) => value !== undefined)) return false
  return keccak256(toRlp(values)) === `${told.hash}`.toLowerCase()
}

/** As RLP takes it: a quantity without leading zeros. Undefined for anything else than hexadecimal text. */
function encode(value: unknown, kind: Field[1]): Hex | undefined {
  if (!isHex(value) || (kind === 'bytes' && value.length % 2 !== 0)) return undefined
  if (kind === 'bytes') return value
  const digits = value.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}
