import { bls12_381 } from '@noble/curves/bls12-381'
import { type Hex, numberToHex, sha256, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  beaconRoundOf,
  chainHashOf,
  firstRound,
  isSignatureOf,
  outlivesBeacon,
  parseSignature,
  quicknet,
  randomnessOf,
  roundTime,
} from './beacon.ts'
import { blockSeedOf, drawWinner, firstSeed, nextSeed } from './draw.ts'

/** Rounds of the real network, from drand's own tests and documentation. */
const rounds: [round: number, signature: string, randomness: string][] = [
  [
    1,
    'b55e7cb2d5c613ee0b2e28d6750aabbb78c39dcc96bd9d38c2c2e12198df95571de8e8e402a0cc48871c7089a2b3af4b',
    '1466a6cd24e327188770752f6134001c64d6efcc590ccc26b721611ad96f165a',
  ],
  [
    2,
    'b6b6a585449b66eb12e875b64fcbab3799861a00e4dbf092d99e969a5eac57dd3f798acf61e705fe4f093db926626807',
    '5782d6987841c654515a0e72b2d1ebb4e741234042c37cb19608ae50d93fb60c',
  ],
  [
    42,
    '95a9f9f5b231b7714de1553105d8ffdf3dcda24cfdb1e689319bccf79a9c8ce430a91b811fbfaf763900bc998b5d686a',
    '8ada64bae5c6c0f5540a6a13af56e663240edfbd2c76ac6a8f27671eb7259ce3',
  ],
  [
    1000,
    'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
    'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
  ],
  [
    657413,
    'b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b',
    'fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587',
  ],
  [
    9367912,
    '845091b99635a8a5f93a15cd8622fae0c7ee5307fb5b888dc67ee4fe997b5b326dbd637bd7ab39e3188fd507ea94b314',
    'a646d1f17493408fdd89ee2ff71a0d1eab6087f23fdef7f60a2baec60436a496',
  ],
]
const signatureOf = (round: number): Hex => `0x${rounds.find(([n]) => n === round)?.[1]}`

describe('the beacon', () => {
  test.each(rounds)(
    'round %i of the real network is accepted, with its randomness',
    async (round, text, randomness) => {
      const signature = parseSignature(text.toUpperCase()) as Hex
      expect(await isSignatureOf(signature, round, quicknet)).toBe(true)
      expect(randomnessOf(signature)).toBe(`0x${randomness}`)
    },
  )

  test('refuses another round, a flipped bit, infinity, a point outside the subgroup and other lengths', async () => {
    const good = signatureOf(42)
    const flipped: Hex = `0x${good.slice(2, -1)}b`
    const infinity: Hex = `0xc0${'0'.repeat(94)}`
    const outside: Hex = `0x80${'0'.repeat(92)}04` as Hex
    expect(await isSignatureOf(good, 43, quicknet)).toBe(false)
    for (const bad of [flipped, infinity, outside, '0x', good.slice(0, -2) as Hex, `${good}00` as Hex])
      expect(await isSignatureOf(bad as Hex, 42, quicknet)).toBe(false)
    for (const text of ['', '0x', good.slice(0, -1), `${good}0`, 42, null, `0x${'g'.repeat(96)}`])
      expect(parseSignature(text)).toBeUndefined()
  })

  test('refuses a signature in a second form, which would give the same round another randomness', async () => {
    const [round, text] = rounds.at(-1) as (typeof rounds)[number]
    const second = numberToHex(BigInt(`0x${text}`) + bls12_381.fields.Fp.ORDER, { size: 48 })
    expect(randomnessOf(second)).not.toBe(randomnessOf(`0x${text}`))
    expect(await isSignatureOf(second, round, quicknet)).toBe(false)
  })

  test('its chain hash commits to its key', () => {
    const genesisSeed = '0xf477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e'
    expect(chainHashOf(quicknet, genesisSeed)).toBe(quicknet.chainHash)
    const local = {
      name: 'blockdraw-local' as const,
      ...{ genesis: 1_600_000_000, period: 3, gapSeconds: 60 },
      publicKey:
        '0xac7fa63dfc38bbf3712e27a180391bca4ccabf609c5967a0592eff420b6235f3f2b323051cb099acc3969aca310f7ff4191b2d6db43fafc2c9592f7e5f73981107975d3d92b843891e724dbc9f05b5eee5a3b2b1fc782ede8149f30830b84444' as Hex,
    }
    expect(chainHashOf(local, sha256(stringToHex('blockdraw-local')))).toBe(
      '0x0a97fa2306032c725410e309dc19fb2f59831001e71dc4de9778ba2adc974315',
    )
  })

  test('a round is due every three seconds, and the rule takes the first one that nobody could know', () => {
    const at = (text: string) => Date.parse(text) / 1000
    const date = at('2026-12-01T12:00:00Z')
    expect(beaconRoundOf(date, null, quicknet)).toBe(34_441_032)
    expect(roundTime(34_441_032, quicknet)).toBe(at('2026-12-01T12:01:00Z'))
    expect(beaconRoundOf(date + 1, null, quicknet)).toBe(34_441_033)
    expect(roundTime(34_441_033, quicknet)).toBe(at('2026-12-01T12:01:03Z'))
    expect(beaconRoundOf(date, date + 15, quicknet)).toBe(34_441_032)
    expect(beaconRoundOf(date, at('2026-12-01T12:01:10Z'), quicknet)).toBe(34_441_036)
    expect(roundTime(34_441_036, quicknet)).toBe(at('2026-12-01T12:01:12Z'))
    expect([0, quicknet.genesis, quicknet.genesis + 1].map((time) => firstRound(time, quicknet))).toEqual([
      1, 1, 2,
    ])
  })
})

describe('a draw of blocks and beacon', () => {
  const blockSeed = blockSeedOf(['11', '22', '33', '44', '55'].map((byte): Hex => `0x${byte.repeat(32)}`))
  const ledgerSha256 = '0x487706fd68221c9242499bac09f0729a705725f19fbe32b45b6c82bb287583d8'
  const seedOf = (round: number): Hex =>
    firstSeed(blockSeed, { randomness: randomnessOf(signatureOf(round)), ledgerSha256 })

  test('gives the published results', () => {
    expect(blockSeed).toBe('0x3f230ed8f0c27bcf4d77a0d9a31c79f05c6560d9bfee822dcf14035711de9e4c')
    expect(firstSeed(blockSeed, null)).toBe(blockSeed)
    const seed = '0x3aeb953ca1ab00a079c7257f5d353294f76890dd7d07754fbe23834fb5a00b1a'
    expect(seedOf(1000)).toBe(seed)
    expect(nextSeed(seed, 1)).toBe('0x3200db0696b1d701a54c337c5319011501bd07b1bba5d09bd5db8b71ce660760')
    expect([100, 1000, 1_000_003].map((sold) => drawWinner(seedOf(1000), sold).winningTicket)).toEqual([
      75, 475, 46_841,
    ])
    expect(seedOf(9_367_912)).toBe('0xc3ab2998aac5c8e148d5a1521badb7f658f7fa1445cf58454ae626720c5f7bd5')
    expect([100, 1000, 1_000_003].map((sold) => drawWinner(seedOf(9_367_912), sold).winningTicket)).toEqual([
      86, 486, 690_871,
    ])
  })
})

test('a draw date behind the end of the network is warned of where the event mixes it in', () => {
  const end = new Date('2030-01-01T00:00:00Z')
  const drawDate = end
  expect(outlivesBeacon({ entropy: 'blocks+drand', drawDate }, end)).toBe(true)
  expect(outlivesBeacon({ entropy: 'blocks', drawDate }, end)).toBe(false)
  expect(outlivesBeacon({ entropy: 'blocks+drand', drawDate: undefined }, end)).toBe(false)
  expect(outlivesBeacon({ entropy: 'blocks+drand', drawDate: new Date(end.getTime() - 1) }, end)).toBe(false)
  expect(outlivesBeacon({ entropy: 'blocks+drand', drawDate })).toBe(false)
})
