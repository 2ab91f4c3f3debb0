import { bls12_381 } from '@noble/curves/bls12-381'
import fc from 'fast-check'
import { type Hex, keccak256, numberToHex, sha256, stringToHex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { signatureDomain } from '../../core/draw/beacon.ts'
import recorded from '../../worker/chain/recorded/blocks.json'
import { lacksPython } from '../lab/python.ts'
import { signRound, testBeacon } from '../lab/test-beacon.ts'
import { askPython } from '../lab/verify-py.ts'

const quicknet: Hex =
  '0x83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a'
/** Rounds of the real network, from drand's own tests and documentation. */
const rounds: readonly (readonly [round: number, signature: Hex, randomness: Hex])[] = [
  [
    1,
    '0xb55e7cb2d5c613ee0b2e28d6750aabbb78c39dcc96bd9d38c2c2e12198df95571de8e8e402a0cc48871c7089a2b3af4b',
    '0x1466a6cd24e327188770752f6134001c64d6efcc590ccc26b721611ad96f165a',
  ],
  [
    2,
    '0xb6b6a585449b66eb12e875b64fcbab3799861a00e4dbf092d99e969a5eac57dd3f798acf61e705fe4f093db926626807',
    '0x5782d6987841c654515a0e72b2d1ebb4e741234042c37cb19608ae50d93fb60c',
  ],
  [
    42,
    '0x95a9f9f5b231b7714de1553105d8ffdf3dcda24cfdb1e689319bccf79a9c8ce430a91b811fbfaf763900bc998b5d686a',
    '0x8ada64bae5c6c0f5540a6a13af56e663240edfbd2c76ac6a8f27671eb7259ce3',
  ],
  [
    1000,
    '0xb44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
    '0xfe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
  ],
  [
    657_413,
    '0xb713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b',
    '0xfc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587',
  ],
  [
    9_367_912,
    '0x845091b99635a8a5f93a15cd8622fae0c7ee5307fb5b888dc67ee4fe997b5b326dbd637bd7ab39e3188fd507ea94b314',
    '0xa646d1f17493408fdd89ee2ff71a0d1eab6087f23fdef7f60a2baec60436a496',
  ],
]
const signatureOf = (round: number) => rounds.find(([number]) => number === round)?.[1] as Hex

const localKey = testBeacon.publicKey
const localSeed = sha256(stringToHex('blockdraw-local'))
const prime = bls12_381.fields.Fp.ORDER

// The product needs no Python, so a machine may lack it; where CI is set, its absence fails.
describe.skipIf(lacksPython)('the arithmetic of the second verifier', () => {
  test('accepts the rounds of the real network and of another key, and no others', async () => {
    const good = signatureOf(42)
    const cases: [key: Hex, round: number, signature: Hex, isGenuine: boolean][] = [
      ...rounds.map(([round, signature]) => [quicknet, round, signature, true] as const),
      ...[1, 7, 5_000_000_000].map((round) => [localKey, round, signRound(round), true] as const),
      [
        localKey,
        1,
        `0x8d042cd1ff5e9138035c20362c5b2400cc8aff0ca3374def2a2a70a5cb94e04800985cdd29b8494f6c4559441880d9f2`,
        true,
      ],
      [quicknet, 43, good, false],
      [localKey, 42, good, false],
      [quicknet, 1, signRound(1), false],
      [quicknet, 42, `${good.slice(0, -1)}b` as Hex, false],
      // The other point with this coordinate.
      [quicknet, 42, `0xb${good.slice(3)}`, false],
      // Infinity; on the curve but outside the subgroup; in an uncompressed form; of another length.
      [quicknet, 42, `0xc0${'0'.repeat(94)}`, false],
      [quicknet, 42, `0x80${'0'.repeat(92)}04`, false],
      [quicknet, 42, `0x1${good.slice(3)}`, false],
      [quicknet, 42, good.slice(0, -2) as Hex, false],
      [quicknet, 42, `${good}00`, false],
      [quicknet, 42, '0x', false],
      [`0xc0${'0'.repeat(190)}`, 42, `0xc0${'0'.repeat(94)}`, false],
    ].map((each) => [...each] as never)
    const told = await askPython(
      cases.map(([key, round, signature]) => ['is_signature', key, round, signature]),
    )
    expect(cases.map(([, round, signature], at) => [round, signature, told[at]])).toEqual(
      cases.map(([, round, signature, isGenuine]) => [round, signature, isGenuine ? 'True' : 'False']),
    )
  })

  test('accepts a signature in one form alone, as another one would have another randomness', async () => {
    const round = [...Array(40).keys()].find((n) => {
      const coordinate = BigInt(signRound(n + 1)) & (2n ** 381n - 1n)
      return coordinate + prime < 2n ** 381n
    }) as number
    const signature = signRound(round + 1)
    const second = numberToHex(BigInt(signature) + prime, { size: 48 })
    expect(
      await askPython([
        ['is_signature', localKey, round + 1, signature],
        ['is_signature', localKey, round + 1, second],
      ]),
    ).toEqual(['True', 'False'])
  })

  test('hashes to the curve as RFC 9380 does', async () => {
    const domain = stringToHex('QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_')
    const [point] = (await askPython([['hash_to_g1', '0x', domain]])) as [string[]]
    expect(point.map((coordinate) => toHex(BigInt(coordinate), { size: 48 }))).toEqual([
      '0x052926add2207b76ca4fa57a8734416c8dc95e24501772c814278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1',
      '0x08ba738453bfed09cb546dbb0783dbb3a5f1f566ed67bb6be0e8c67e2e81a4cc68ee29813bb7994998f3eae0c9c6a265',
    ])
    const messages = fc.sample(fc.uint8Array({ maxLength: 100 }), 5)
    const told = await askPython(
      messages.map((message) => ['hash_to_g1', toHex(message), stringToHex(signatureDomain)]),
    )
    expect(told).toEqual(
      messages.map((message) => {
        const { x, y } = bls12_381.G1.hashToCurve(message, { DST: signatureDomain }).toAffine()
        return [`${x}`, `${y}`]
      }),
    )
  })

  test('hashes as Ethereum does, whatever the length', async () => {
    const data = [0, 1, 135, 136, 137, 271, 272, 1000].map((length) =>
      toHex(new Uint8Array(length).fill(0xa5)),
    )
    expect(await askPython(data.map((each) => ['keccak256', each]))).toEqual(
      data.map((each) => keccak256(each)),
    )
    expect(await askPython([['keccak256', '0x']])).toEqual([
      '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    ])
  })

  test('makes the hash of a recorded header from its fields, and needs the fields that every header has', async () => {
    const [block] = recorded.blocks as unknown as [Record<string, unknown>]
    const other = { ...block, extraData: `${block.extraData}00` }
    const { requestsHash: _, ...shorter } = block
    const told = await askPython([
      ...recorded.blocks.map((each) => ['header_hash', each] as const),
      ...[other, shorter, { ...block, miner: undefined }, { ...block, number: 7 }].map(
        (each) => ['header_hash', each] as const,
      ),
    ])
    expect(told.slice(0, recorded.blocks.length)).toEqual(recorded.blocks.map(({ hash }) => hash))
    const [a, b, ...none] = told.slice(recorded.blocks.length)
    expect([a, b].map((hash) => /^0x[0-9a-f]{64}$/.test(`${hash}`) && hash !== block.hash)).toEqual([
      true,
      true,
    ])
    expect(none).toEqual(['None', 'None'])
  })

  test('knows rounds, their times and the hash of a network that commits to its key', async () => {
    const at = (text: string) => Date.parse(text) / 1000
    const [genesis, date] = [1_692_803_367, at('2026-12-01T12:00:00Z')]
    const groupHash = '0xf477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e'
    expect(
      await askPython([
        ['round_of_draw', date, 0, genesis],
        ['round_of_draw', date + 1, 0, genesis],
        ['round_of_draw', date, at('2026-12-01T12:01:10Z'), genesis],
        ['round_time', 34_441_036, genesis],
        ['first_round', 0, genesis],
        ['first_round', genesis, genesis],
        ['first_round', genesis + 1, genesis],
      ]),
    ).toEqual([34_441_032, 34_441_033, 34_441_036, at('2026-12-01T12:01:12Z'), 1, 1, 2].map(String))
    expect(
      await askPython([
        ['chain_hash', quicknet, genesis, groupHash, 'quicknet' as Hex],
        ['chain_hash', localKey, 1_600_000_000, localSeed, 'blockdraw-local' as Hex],
      ]),
    ).toEqual([
      '0x52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
      '0x0a97fa2306032c725410e309dc19fb2f59831001e71dc4de9778ba2adc974315',
    ])
  })

  test('gives the published results of blocks and beacon', async () => {
    const blocks = [0x11, 0x22, 0x33, 0x44, 0x55].map((byte) => ({
      hash: toHex(new Uint8Array(32).fill(byte)),
    }))
    const sha = '0x487706fd68221c9242499bac09f0729a705725f19fbe32b45b6c82bb287583d8'
    const of = (round: number) => ({
      blocks,
      ledger: { sha256: sha },
      beacon: { randomness: rounds.find(([number]) => number === round)?.[2] },
    })
    const seed = '0x3aeb953ca1ab00a079c7257f5d353294f76890dd7d07754fbe23834fb5a00b1a'
    expect(
      await askPython([
        ['first_seed', { ...of(1000), beacon: null }],
        ['first_seed', of(1000)],
        ['first_seed', of(9_367_912)],
        ['accepted', seed, 1_000_003],
        ['accepted', `0x${'ff'.repeat(32)}`, 100],
      ]),
    ).toEqual([
      '0x3f230ed8f0c27bcf4d77a0d9a31c79f05c6560d9bfee822dcf14035711de9e4c',
      seed,
      '0xc3ab2998aac5c8e148d5a1521badb7f658f7fa1445cf58454ae626720c5f7bd5',
      [seed, '0'],
      [sha256(`0x${'ff'.repeat(32)}00000001`), '1'],
    ])
  })
})
