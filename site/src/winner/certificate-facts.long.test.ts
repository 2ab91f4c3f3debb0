import { expect, test } from 'vitest'
import type { Proof } from '../../../core/draw/proof.ts'
import type { PublicPrize } from '../../../core/prize/promise.ts'
import { anchorText, certified, certifiedPrize, producersOf } from './Certificate.tsx'

const one = `0x12ab${'0'.repeat(32)}89cd`
const two = `0x34ef${'0'.repeat(32)}4567`

test('the certificate names who made the five blocks, and how many each', () => {
  expect(producersOf([one, one, one, one, one])).toBe('One producer made all five: 0x12ab…89cd')
  expect(producersOf([one, one, one, two, two])).toBe('2 producers: 0x12ab…89cd (3), 0x34ef…4567 (2)')
})

test('each anchor is certified with its block and transaction; one that nobody made is told quietly', () => {
  const anchor = { wallet: one, transactionHash: '0x01', blockNumber: 71_234_567, timestamp: 1 } as const
  expect(anchorText(anchor as never)).toBe('Block 71234567, 0x01')
  expect(anchorText(null)).toBe('Not recorded')
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

test('a prize is certified in one line: its state, the day, and the reserve that holds it', () => {
  const wallet = `0x12ab${'0'.repeat(32)}89cd` as const
  const step = (name: 'drawn' | 'claimed' | 'delivered', day: number) => ({
    ...{
      step: name,
      at: `2055-10-${day}T12:00:00.000Z`,
      walletAddress: wallet,
      transactionHash: null,
      reason: null,
    },
  })
  const prize: PublicPrize = {
    ...{ eventNumber: 1, place: 1, kind: 'goods', units: null, state: 'unclaimed', claimBy: null },
    holder: { kind: 'winner', place: 1, walletAddress: wallet },
    steps: [step('drawn', 10)],
  }
  expect(certifiedPrize(prize)).toBe('Not claimed yet')
  const steps = [step('drawn', 10), step('claimed', 12), step('delivered', 22)]
  const holder = { kind: 'reserve', place: 1, walletAddress: wallet } as const
  expect(certifiedPrize({ ...prize, state: 'delivered', steps, holder })).toBe(
    'Delivered, October 22, 2055, 12 days after the draw (Reserve 1, 0x12ab…89cd)',
  )
  const money = { kind: 'token', units: '500000000000000000000', state: 'due' } as const
  expect(certifiedPrize({ ...prize, ...money })).toBe('500 USDT, To be paid')
})
