import type { Address } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { type ClaimSession, claimMinutes } from '../prize/claim.ts'
import { type BarDays, barSentence } from './bar-days.ts'

export type BarTerms = { walletAddress: Address; days: BarDays; chainId: number }

/** What a wallet signs to bar itself, as EIP-4361 has it: for one site, this wallet and this many days from then on. */
export const barMessage = (
  { walletAddress, days, chainId }: BarTerms,
  { origin, nonce, issuedAt }: ClaimSession,
): string =>
  createSiweMessage({
    domain: new URL(origin).host,
    uri: `${origin}/`,
    address: walletAddress,
    statement: `${barSentence(days)} Until then this site does not open my wallet for a purchase. It cannot be shortened. This signature costs nothing and moves no money.`,
    version: '1',
    chainId,
    nonce,
    issuedAt,
    expirationTime: new Date(issuedAt.getTime() + claimMinutes * 60_000),
  })

/** When a break ends: it counts from the message, so that a message used twice says the same. */
export const barEnd = (issuedAt: Date, days: BarDays): Date =>
  new Date(issuedAt.getTime() + days * 86_400_000)
