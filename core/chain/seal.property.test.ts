import { encodeRlp, keccak256 } from 'ethers'
import fc from 'fast-check'
import { isHex } from 'viem'
import { expect, test } from 'vitest'
import { headerHash } from './seal.ts'

/** Fields that a header has had since London, in the order in which they are hashed. */
const names = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'],
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'],
]
const quantities = new Set(['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp'])

/** The same by ethers: a quantity has no leading zeros, bytes are as they were told. */
function byRlp(told: Readonly<Record<string, string>>): string | undefined {
  const values = names.map((name): string | undefined => {
    const text = told[name]
    if (!isHex(text)) return undefined
    const digits = quantities.has(name) ? text.slice(2).replace(/^0+/, '') : text.slice(2)
    if (!quantities.has(name) && digits.length % 2) return undefined
    return `0x${digits.length % 2 ? '0' : ''}${digits}`
  })
  return values.every((value) => value !== undefined) ? keccak256(encodeRlp(values)) : undefined
}

const text = fc.oneof(
  { weight: 12, arbitrary: fc.stringMatching(/^0x([0-9a-f]{2}){0,70}$/) },
  { weight: 3, arbitrary: fc.stringMatching(/^0x0*[0-9a-fA-F]{0,3}$/) },
  { weight: 1, arbitrary: fc.constantFrom('0x00', '0x7f', '0x80', `0x${'ab'.repeat(300)}`) },
)
const wrong = fc.constantFrom('', '0x', '12', '0xg0', '0x0', '0x1g', '0X12', '0x🎟', '0x é')

test('the hash of a header is that of its fields by RLP, and there is none where one is no hexadecimal text', () => {
  const header = fc.record(Object.fromEntries(names.map((name) => [name, text])))
  const change = fc.option(fc.record({ name: fc.constantFrom(...names), to: wrong }), { freq: 3 })
  fc.assert(
    fc.property(header, change, (fields, wish) => {
      const told = wish ? { ...fields, [wish.name]: wish.to } : fields
      expect(headerHash(told)).toBe(byRlp(told))
    }),
    { numRuns: 500 },
  )
})
