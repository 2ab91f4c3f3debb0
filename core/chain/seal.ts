import { type Hash, type Hex, keccak256, toRlp } from 'viem'

type Fields = Readonly<Record<string, unknown>>

/** The fields of a header in the order in which they are hashed. */
const first = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'],
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'],
]
/** What forks have added, each behind all before it: a header has these up to its fork. */
const added = [
  ...['baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas'],
  ...['parentBeaconBlockRoot', 'requestsHash'],
]
const quantities: ReadonlySet<string> = new Set([
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp'],
  ...['baseFeePerGas', 'blobGasUsed', 'excessBlobGas'],
])

/** How the bytes of a header are hashed: servers have a quicker way than a browser, and hash every block. */
type Keccak = (bytes: Uint8Array) => Hex

/** Undefined where a field is missing or no hexadecimal text. With a fork's fields that are unknown here it is another hash. */
export function headerHash(told: Fields, hash: Keccak = keccak256): Hash | undefined {
  const count = added.findIndex((name) => told[name] === undefined || told[name] === null)
  const fields = [...first, ...added.slice(0, count === -1 ? added.length : count)]
  try {
    return hash(toRlp(fields.map((name) => rlpValue(told[name], quantities.has(name))) as Hex[], 'bytes'))
  } catch {
    return undefined
  }
}

/** Number, time, parent, miner and bloom filter are then those of this hash, whoever told them. */
export const isSealed = (told: Fields, hash?: Keccak): boolean =>
  headerHash(told, hash) === `${told.hash}`.toLowerCase()

/** As RLP takes it, two digits a byte: a quantity without leading zeros. Undefined for anything else than such a text. */
function rlpValue(value: unknown, isQuantity: boolean): Hex | undefined {
  if (typeof value !== 'string' || !value.startsWith('0x')) return undefined
  if (!isQuantity) return value.length % 2 === 0 ? (value as Hex) : undefined
  const digits = value.slice(2).replace(/^0+/, '')
  return digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`
}
