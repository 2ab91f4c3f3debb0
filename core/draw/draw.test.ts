import fc from 'fast-check'
import { type Hash, keccak256, numberToHex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { lacksPython, python } from '../../e2e/lab/python.ts'
import { blockSeedOf, drawWinner, nextSeed, seedLimit, winningTicket } from './draw.ts'
import vectors from './vectors/draw.json' with { type: 'json' }

/** The draw, written a second time from its description alone. */
const secondImplementation = `
import hashlib, json, sys
def draw(hashes, sold, limit):
    seed, counter = hashlib.sha256(b"".join(bytes.fromhex(h[2:]) for h in hashes)).digest(), 0
    while int.from_bytes(seed, "big") >= limit:
        counter += 1
        seed = hashlib.sha256(seed + counter.to_bytes(4, "big")).digest()
    number = int.from_bytes(seed, "big")
    return {"seed": "0x" + seed.hex(), "counter": counter, "randomNumber": str(number), "winningTicket": number % sold + 1}
print(json.dumps([draw(c["hashes"], c["ticketsSold"], int(c.get("limit", 2**256 - 2**256 % c["ticketsSold"])))
    for c in json.load(sys.stdin)]))
`
const aHash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): Hash => `0x${Buffer.from(bytes).toString('hex')}`)
const fiveHashes = fc.array(aHash, { minLength: 5, maxLength: 5 })
const someTickets = fc.oneof(
  fc.integer({ min: 1, max: 20 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
)

/** `DRAW_SEEDS=1000000` for the whole proof, which takes ten seconds of a processor. */
const rounds = Number(process.env.DRAW_SEEDS ?? 50_000)

describe('D5: the draw', () => {
  test.each(vectors)('gives the published result: $name', ({ hashes, ticketsSold, limit, result }) => {
    const { randomNumber, ...rest } = drawWinner(
      blockSeedOf(hashes as Hash[]),
      ticketsSold,
      limit ? BigInt(limit) : undefined,
    )
    expect({ ...rest, randomNumber: `${randomNumber}` }).toEqual(result)
  })

  // The product needs no Python, so a machine may lack it; where CI is set, its absence fails.
  test.skipIf(lacksPython)(
    'I11: agrees with a second implementation in another language, 2,000 times',
    () => {
      const cases = fc.sample(
        fc.tuple(fiveHashes, someTickets, fc.bigInt(2n ** 253n, 2n ** 256n), fc.boolean()),
        2_000,
      )
      const asked = cases.map(([hashes, ticketsSold, limit, isLimited]) => ({
        hashes,
        ticketsSold,
        ...(isLimited && { limit: `${limit}` }),
      }))
      const answers = JSON.parse(python(secondImplementation, JSON.stringify(asked))) as unknown[]
      const ours = asked.map(({ hashes, ticketsSold, limit }) => {
        const { randomNumber, ...rest } = drawWinner(
          blockSeedOf(hashes),
          ticketsSold,
          limit ? BigInt(limit) : undefined,
        )
        return { ...rest, randomNumber: `${randomNumber}` }
      })
      expect(ours).toHaveLength(2_000)
      expect(ours.filter(({ counter }) => counter > 0).length).toBeGreaterThan(200)
      expect(answers).toEqual(ours)
    },
  )

  test(`is fair: no ticket of 97 stands out in ${rounds.toLocaleString('en-US')} seeds`, () => {
    const tickets = 97
    const hits = new Float64Array(tickets)
    let seed = blockSeedOf(Array.from({ length: 5 }, (_, i) => keccak256(toHex(`fair ${i}`))))
    for (let i = 0; i < rounds; i++) {
      seed = nextSeed(seed, i % 2 ** 32)
      const at = winningTicket(BigInt(seed), tickets) - 1
      hits[at] = (hits[at] ?? 0) + 1
    }
    const mean = rounds / tickets
    const chiSquare = hits.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
    // 96 degrees of freedom: a fair draw stays below 150 in 9,996 of 10,000 runs, and this run is fixed.
    expect(chiSquare).toBeLessThan(150)
    expect(chiSquare).toBeGreaterThan(50)
  })

  test('leaves every ticket as many accepted seeds as any other', () => {
    fc.assert(
      fc.property(someTickets, (ticketsSold) => {
        const limit = seedLimit(ticketsSold)
        expect(limit % BigInt(ticketsSold)).toBe(0n)
        expect(limit).toBeLessThanOrEqual(2n ** 256n)
        expect(2n ** 256n - limit).toBeLessThan(BigInt(ticketsSold))
      }),
    )
  })

  test('refuses seeds from the limit on, the limit itself too', () => {
    const seed = blockSeedOf(Array.from({ length: 5 }, (_, i) => keccak256(toHex(`limit ${i}`))))
    const number = BigInt(seed)
    expect(drawWinner(seed, 97, number + 1n)).toMatchObject({ seed, counter: 0, randomNumber: number })
    expect(drawWinner(seed, 97, number).counter).toBeGreaterThan(0)
  })

  test('always names a sold ticket and an accepted seed', () => {
    fc.assert(
      fc.property(
        fiveHashes,
        someTickets,
        fc.bigInt(2n ** 252n, 2n ** 256n),
        (hashes, ticketsSold, limit) => {
          const result = drawWinner(blockSeedOf(hashes), ticketsSold, limit)
          expect(result.winningTicket).toBeGreaterThanOrEqual(1)
          expect(result.winningTicket).toBeLessThanOrEqual(ticketsSold)
          expect(result.randomNumber).toBeLessThan(limit)
          expect(result.seed).toBe(numberToHex(result.randomNumber, { size: 32 }))
          expect(drawWinner(blockSeedOf(hashes), ticketsSold, limit)).toEqual(result)
        },
      ),
    )
  })

  test('refuses anything but five whole hashes and at least one ticket', () => {
    const hash = keccak256('0x')
    const five = [hash, hash, hash, hash, hash]
    expect(() => blockSeedOf([hash, hash, hash, hash])).toThrow(RangeError)
    expect(() => blockSeedOf([...five, hash])).toThrow(RangeError)
    expect(() => blockSeedOf([hash, hash, hash, hash, '0x12'])).toThrow(RangeError)
    for (const tickets of [0, -1, 1.5, Number.NaN, 2 ** 53])
      expect(() => drawWinner(blockSeedOf(five), tickets)).toThrow(RangeError)
  })
})
