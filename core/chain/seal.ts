import { type Hash, type Hex, keccak256 } from 'viem'

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

/**
 * The hash that the fields of a block's header give, as JSON-RPC tells them; undefined where one of them is missing or no
 * hexadecimal text. With fields of a fork that is not known here it is another hash than the block's.
 */
export function headerHash(told: Fields, hash: Keccak = keccak256): Hash | undefined {
  const count = added.findIndex(([name]) => told[name] === undefined || told[name] === null)
  const fields = [...first, ...added.slice(0, count === -1 ? added.length : count)]
  const values = fields.map(([name, kind]) => digitsOf(told[name], kind))
  if (!areTexts(values)) return undefined
  const bytes = new Uint8Array(
    values.reduce((sum, digits) => sum + longestHead + (digits.length >> 1), longestHead),
  )
  let end = longestHead
  for (const digits of values) {
    end = writeBytes(bytes, end, digits)
    if (end === -1) return undefined
  }
  const head = lengthHead(0xc0, end - longestHead)
  bytes.set(head, longestHead - head.length)
  return hash(bytes.subarray(longestHead - head.length, end))
}

/**
 * True when the hash of a block is that of its header's fields: its number, time, parent, miner and bloom filter are then
 * those of this hash, whoever told them. False for a false header and for one with fields of a fork that is not known here.
 */
export const isSealed = (told: Fields, hash?: Keccak): boolean =>
  headerHash(told, hash) === `${told.hash}`.toLowerCase()

/** As RLP takes it, two digits a byte: a quantity without leading zeros. Undefined for anything else than such a text. */
function digitsOf(value: unknown, kind: Field[1]): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('0x')) return undefined
  if (kind === 'bytes') return value.length % 2 === 0 ? value.slice(2) : undefined
  const digits = value.slice(2).replace(/^0+/, '')
  return digits.length % 2 === 0 ? digits : `0${digits}`
}

const areTexts = (values: readonly (string | undefined)[]): values is string[] =>
  values.every((value) => value !== undefined)

/** What RLP puts before a value of up to 2^64 bytes at most. */
const longestHead = 9

/** Writes a value with its head; -1 where a digit is none. Returns where the next one begins. */
function writeBytes(bytes: Uint8Array, at: number, digits: string): number {
  const length = digits.length >> 1
  const head = length === 1 && (nibbles[digits.charCodeAt(0)] ?? -1) < 8 ? [] : lengthHead(0x80, length)
  bytes.set(head, at)
  let next = at + head.length
  for (let index = 0; index < digits.length; index += 2) {
    const high = nibbles[digits.charCodeAt(index)] ?? -1
    const low = nibbles[digits.charCodeAt(index + 1)] ?? -1
    if (high < 0 || low < 0) return -1
    bytes[next++] = (high << 4) | low
  }
  return next
}

/** By the code of a character; -1 for what is no hexadecimal digit. */
const nibbles = Int8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(digit) ? -1 : digit
})

function lengthHead(base: number, length: number): number[] {
  if (length < 56) return [base + length]
  const digits: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return [base + 55 + digits.length, ...digits]
}
