import { expect, test } from 'vitest'
import type { Proof } from '../../../core/draw/proof.ts'
import { certified, producersOf } from './CertificateFacts.tsx'

const one = `0x12ab${'0'.repeat(32)}89cd`
const two = `0x34ef${'0'.repeat(32)}4567`

test('the certificate names who made the five blocks, and how many each', () => {
  expect(producersOf([one, one, one, one, one])).toBe('One producer made all five: 0x12ab…89cd')
  expect(producersOf([one, one, one, two, two])).toBe('2 producers: 0x12ab…89cd (3), 0x34ef…4567 (2)')
})

test('each winner is certified with the ticket that was drawn and the whole address, by the proof alone with what it has', () => {
  const winners = [
    { walletAddress: one, transactionHash: '0x01', ticketNumber: 1, ticketCount: 33 },
    { walletAddress: two, transactionHash: '0x02', ticketNumber: 34, ticketCount: 5 },
  ]
  const proof = { winners } as unknown as Proof
  const told = { ...winners[1], kind: 'winner', place: 2, ticketNumber: 36 }
  const drawn = [{ ...told, walletAddress: two.replace('ef', 'EF') }] as never
  expect(certified(proof, drawn)).toEqual([
    { place: 1, tickets: '#1–#33', wallet: one },
    { place: 2, tickets: '#36', wallet: two.replace('ef', 'EF') },
  ])
  const stranger = [{ ...told, walletAddress: one }] as never
  expect(certified(proof, stranger)[1]).toMatchObject({ tickets: '#34–#38', wallet: two })
})
