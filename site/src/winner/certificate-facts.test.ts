import { expect, test } from 'vitest'
import { producersOf } from './CertificateFacts.tsx'

const one = `0x12ab${'0'.repeat(32)}89cd`
const two = `0x34ef${'0'.repeat(32)}4567`

test('the certificate names who made the five blocks, and how many each', () => {
  expect(producersOf([one, one, one, one, one])).toBe('One producer made all five: 0x12ab…89cd')
  expect(producersOf([one, one, one, two, two])).toBe('2 producers: 0x12ab…89cd (3), 0x34ef…4567 (2)')
})
