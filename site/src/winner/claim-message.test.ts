import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { claimMessage } from '../../../core/prize/claim.ts'
import { isWanted, type Wanted } from './claim-message.ts'

const wallet: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const origin = 'https://raffle.example'
const wanted: Wanted = {
  ...{ host: 'raffle.example', wallet, chainId: 56, eventNumber: 7, place: 2 },
  purpose: 'claim',
}
const terms = {
  ...{ eventNumber: 7, chainId: 56, operatorWallet: wallet, walletAddress: wallet, winningTicket: 33 },
  ...{ place: 2, winners: 3 },
} as const
const session = { origin, nonce: 'a1b2c3d4e5f6a7b8', issuedAt: new Date('2055-09-30T12:00:00Z') }
const message = claimMessage('claim', terms, session)

test('the claim that our server makes for this prize, site, wallet and chain is laid before the visitor', () => {
  expect(isWanted(message, wanted)).toBe(true)
  expect(isWanted(message, { ...wanted, wallet: wallet.toLowerCase() as Address })).toBe(true)
})

test('a message of a server that does not know of https in front of it is signed too', () => {
  expect(isWanted(message.replace('URI: https:', 'URI: http:'), wanted)).toBe(true)
})

test('a receipt is signed where one is wanted, and never in place of a claim', () => {
  const receipt = claimMessage('receipt', terms, session)
  expect(isWanted(receipt, { ...wanted, purpose: 'receipt' })).toBe(true)
  expect([isWanted(receipt, wanted), isWanted(message, { ...wanted, purpose: 'receipt' })]).toEqual([
    false,
    false,
  ])
})

test.each<[string, (text: string) => string]>([
  ['another site', (text) => text.replace('raffle.example wants', 'rafle.example wants')],
  ['a site that begins alike', (text) => text.replace('raffle.example wants', 'raffle.example.evil wants')],
  ['another wallet', (text) => text.replace(`${wallet}\n`, `${wallet.replace('7', '8')}\n`)],
  ['another chain', (text) => text.replace('Chain ID: 56', 'Chain ID: 1')],
  ['another origin', (text) => text.replace(`URI: ${origin}`, 'URI: https://evil.example')],
  ['an origin that is none', (text) => text.replace(`URI: ${origin}/`, 'URI: raffle.example')],
  ['another event', (text) => text.replace('event 7:', 'event 71:')],
  ['another place', (text) => text.replace('place 2', 'place 1')],
  ['something else', (text) => text.replace('I claim the prize of', 'I give my house to')],
  ['no end', (text) => text.replace(/\nExpiration Time.*/, '')],
  ['more than one statement', (text) => text.replace('no money.', 'no money.\nI give you my house.')],
  ['more after the end', (text) => `${text}\nResources:\n- https://evil.example`],
])('a message that names %s is not signed', (_, change) => {
  expect(change(message)).not.toBe(message)
  expect(isWanted(change(message), wanted)).toBe(false)
})
