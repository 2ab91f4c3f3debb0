import { type Hex, keccak256 as plain } from 'viem'

const rate = 136
const rounds = 24
const lanes = 25
/** By how many bits each lane is turned, at x + 5 y. */
const turns = [
  ...[0, 1, 62, 28, 27],
  ...[36, 44, 6, 55, 20],
  ...[3, 10, 43, 25, 39],
  ...[41, 45, 15, 21, 8],
  ...[18, 2, 61, 56, 14],
]
/** The memory: the state, the constants of the rounds, the message. */
const constantsAt = 8 * lanes
const messageAt = constantsAt + 8 * rounds
const pageBytes = 65_536
const longest = pageBytes - messageAt - rate

/**
 * Keccak-256 on 64-bit integers, which JavaScript has none of: a tenth of the time of the plain one. The program for
 * it is written here, instruction by instruction, as no package that is here brings one.
 */
export function keccak256(bytes: Uint8Array): Hex {
  if (bytes.length > longest) return plain(bytes)
  loaded ??= load()
  const { memory, absorb } = loaded
  const blocks = Math.floor(bytes.length / rate) + 1
  const [padAt, last] = [messageAt + bytes.length, messageAt + blocks * rate - 1]
  memory.fill(0, 0, constantsAt)
  memory.set(bytes, messageAt)
  memory.fill(0, padAt, last + 1)
  memory[padAt] = 1
  memory[last] = Number(memory[last]) | 0x80
  absorb(messageAt, blocks)
  return `0x${memory.subarray(0, 32).toHex()}`
}

type Loaded = { memory: Uint8Array; absorb: (at: number, blocks: number) => void }
let loaded: Loaded | undefined

function load(): Loaded {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program()))
  const { buffer } = exports.memory as WebAssembly.Memory
  const view = new DataView(buffer)
  for (const [round, constant] of constants().entries())
    view.setBigUint64(constantsAt + 8 * round, constant, true)
  return { memory: new Uint8Array(buffer), absorb: exports.absorb as Loaded['absorb'] }
}

/** Iota's constants, by the shift register of the standard. */
function constants(): bigint[] {
  let register = 1n
  return Array.from({ length: rounds }, () => {
    let constant = 0n
    for (let bit = 0n; bit < 7n; bit++) {
      register = ((register << 1n) ^ ((register >> 7n) * 0x71n)) & 0xffn
      if (register & 2n) constant ^= 1n << ((1n << bit) - 1n)
    }
    return constant
  })
}

const [xor, and, rotate, add, subtract, differs] = [0x85, 0x83, 0x89, 0x6a, 0x6b, 0x47]
const [loop, end, branch, nothing, i32, i64, func] = [0x03, 0x0b, 0x0d, 0x40, 0x7f, 0x7e, 0x60]
const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const tee = (local: number) => [0x22, local]
const int = (value: number) => [0x41, ...signed(value)]
const long = (value: number) => [0x42, ...signed(value)]
const read = (at: number) => [0x29, 3, ...unsigned(at)]
const write = (at: number) => [0x37, 3, ...unsigned(at)]

/** The two parameters, where the next block is and how many are left; then where the round's constant is. */
const [next, left, constant] = [0, 1, 2]
const [state, mixed, columns, parity] = [3, 3 + lanes, 3 + 2 * lanes, 8 + 2 * lanes]
const five = [0, 1, 2, 3, 4]
const lane = (base: number, x: number, y: number) => base + (x % 5) + 5 * (y % 5)

/** One round of Keccak-f: theta; rho and pi; chi; iota. */
const round = (): number[] => [
  ...five.flatMap((x) => [
    ...[...get(lane(state, x, 0)), ...[1, 2, 3, 4].flatMap((y) => [...get(lane(state, x, y)), xor])],
    ...set(columns + x),
  ]),
  ...five.flatMap((x) => [
    ...[...get(columns + ((x + 4) % 5)), ...get(columns + ((x + 1) % 5)), ...long(1), rotate, xor],
    ...set(parity),
    ...five.flatMap((y) => [
      ...[...get(lane(state, x, y)), ...get(parity), xor, ...long(turns[x + 5 * y] as number), rotate],
      ...set(lane(mixed, y, 2 * x + 3 * y)),
    ]),
  ]),
  ...five.flatMap((y) =>
    five.flatMap((x) => [
      ...[...get(lane(mixed, x, y)), ...get(lane(mixed, x + 1, y)), ...long(-1), xor],
      ...[...get(lane(mixed, x + 2, y)), and, xor, ...set(lane(state, x, y))],
    ]),
  ),
  ...[...get(state), ...get(constant), ...read(0), xor, ...set(state)],
]

/** `absorb(at, blocks)`: takes so many blocks into the state. */
const absorb = (): number[] => [
  ...[2, 1, i32, 2 * lanes + 6, i64],
  ...range(lanes).flatMap((index) => [...int(0), ...read(8 * index), ...set(state + index)]),
  ...[loop, nothing],
  ...range(rate / 8).flatMap((index) => [
    ...[...get(state + index), ...get(next), ...read(8 * index), xor, ...set(state + index)],
  ]),
  ...[...int(constantsAt), ...set(constant)],
  ...[loop, nothing, ...round(), ...get(constant), ...int(8), add, ...tee(constant)],
  ...[...int(messageAt), differs, branch, 0, end],
  ...[...get(next), ...int(rate), add, ...set(next)],
  ...[...get(left), ...int(1), subtract, ...tee(left), branch, 0, end],
  ...range(lanes).flatMap((index) => [...int(0), ...get(state + index), ...write(8 * index)]),
  end,
]

function program(): Uint8Array<ArrayBuffer> {
  const body = absorb()
  return Uint8Array.from([
    ...[...text('\0asm'), 1, 0, 0, 0],
    ...section(1, [1, func, 2, i32, i32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...named('memory'), 2, 0, ...named('absorb'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ])
}

const section = (id: number, bytes: readonly number[]) => [id, ...unsigned(bytes.length), ...bytes]
const named = (name: string) => [name.length, ...text(name)]
const text = (ascii: string) => [...ascii].map((letter) => letter.charCodeAt(0))
const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)]
}
