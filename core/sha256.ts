import type { Hex } from 'viem'

/**
 * SHA-256 of bytes that come piece by piece: what a browser's own hash function cannot do, and it exists on
 * secure pages alone. Small inputs are better hashed by viem.
 */
export function createSha256(): { update: (bytes: Uint8Array) => void; digest: () => Hex } {
  const state = Int32Array.from(initial)
  const words = new Int32Array(64)
  const rest = new Uint8Array(64)
  let restSize = 0
  let size = 0

  function update(bytes: Uint8Array): void {
    size += bytes.length
    let at = 0
    if (restSize > 0) {
      at = Math.min(64 - restSize, bytes.length)
      rest.set(bytes.subarray(0, at), restSize)
      restSize += at
      if (restSize < 64) return
      compress(state, words, rest, 0)
      restSize = 0
    }
    for (; at + 64 <= bytes.length; at += 64) compress(state, words, bytes, at)
    rest.set(bytes.subarray(at))
    restSize = bytes.length - at
  }

  return {
    update,
    /** Ends the message: 0x80, zeros, its length in bits as 8 bytes. */
    digest(): Hex {
      const tail = new Uint8Array(restSize < 56 ? 64 - restSize : 128 - restSize)
      tail[0] = 0x80
      const bits = new DataView(tail.buffer)
      bits.setUint32(tail.length - 8, Math.floor(size / 0x2000_0000))
      bits.setUint32(tail.length - 4, (size << 3) >>> 0)
      update(tail)
      return `0x${[...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')}`
    },
  }
}

function compress(state: Int32Array, w: Int32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 16; i++, at += 4)
    w[i] =
      ((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number
    const y = w[i - 2] as number
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (k[i] as number) + (w[i] as number)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const out = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = ((state[i] as number) + (out[i] as number)) | 0
}

const primes = [...Array(312).keys()].filter(
  (n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && n % d === 0),
)

/** The first 32 bits behind the point of the square roots (cube roots) of the first primes: nothing up our sleeve. */
const initial = primes.slice(0, 8).map((prime) => fraction(prime, 2n))
const k = Int32Array.from(primes.slice(0, 64).map((prime) => fraction(prime, 3n)))

/** floor(root · 2^32) mod 2^32, in whole numbers. */
function fraction(prime: number, degree: bigint): number {
  const target = BigInt(prime) << (32n * degree)
  let low = 0n
  let high = BigInt(prime) << 32n
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (middle ** degree <= target) low = middle
    else high = middle - 1n
  }
  return Number(BigInt.asIntN(32, low))
}
