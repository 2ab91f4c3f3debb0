import { type Hash, type Hex, keccak256, toRlp } from 'viem'

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

/** How the bytes of a header are hashed: servers have a quicker way than a browser, and hash every block. */
type Keccak = (bytes: Uint8Array) => Hex

/** Undefined where a field is missing or no hexadecimal text. With a fork's fields that are unknown here it is another hash. */
export function headerHash(told: Fields, hash: Keccak = keccak256): Hash | undefined {
  const count = added.findIndex(([name]) => told[name] === undefined || told[name] === null)
  const fields = [...first, ...added.slice(0, count === -1 ? added.length : count)]
  try {
    return hash(toRlp(fields.map(([name, kind]) => rlpValue(told[name], kind)) as Hex[], 'bytes'))
  } catch {
    return undefined
  }
}

/** Number, time, parent, miner and bloom filter are then those of this hash, whoever told them. */
export const isSealed = (told: Fields, hash?: Keccak): boolean =>
  headerHash(told, hash) === `${told.hash}`.toLowerCase()

/** As RLP takes it, two digits a byte: a quantity without leading zeros. Undefined for anything else than such a text. */
function rlpValue(value: unknown, kind: Field[1]): Hex | undefined {
  if (typeof value !== 'string' || !value.startsWith('0x')) return undefined
  if (kind === 'bytes') return value.length % 2 === 0 ? (value as Hex) : undefined
  const digits = value.slice(2).replace(/^0+/, '')
  return digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`
}
