import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { claimMessage } from '../../../core/prize/claim.ts'
import { isWanted, type Wanted } from './WinnerClaim.tsx'

const wallet: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const origin = 'https://raffle.example'
const wanted: Wanted = {
  ...{ host: 'raffle.example', wallet, chainId: 56, eventNumber: 7, place: 2 },
}
const terms = {
  ...{ eventNumber: 7, chainId: 56, operatorWallet: wallet, walletAddress: wallet, winningTicket: 33 },
  ...{ place: 2, winners: 3 },
} as const
const session = { origin, nonce: 'a1b2c3d4e5f6a7b8', issuedAt: new Date('2055-09-30T12:00:00Z') }
const message = claimMessage(terms, session)

test('the claim that our server makes for this prize, site, wallet and chain is laid before the visitor', () => {
  expect(isWanted(message, wanted)).toBe(true)
  expect(isWanted(message, { ...wanted, wallet: wallet.toLowerCase() as Address })).toBe(true)
})

test('a message of a server that does not know of https in front of it is signed too', () => {
  expect(isWanted(message.replace('URI: https:', 'URI: http:'), wanted)).toBe(true)
})
