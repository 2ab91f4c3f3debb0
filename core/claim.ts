import type { Address } from 'viem'

/** The facts that a winner's claim names. */
export type ClaimTerms = {
  eventNumber: number
  chainId: number
  operatorWallet: Address
  walletAddress: Address
  winningTicket: number
  /** 1..`winners`. */
  place: number
  /** How many the event promised. */
  winners: number
}

/**
 * The text that a winner signs with his paying wallet (EIP-191). It names the raffle, so a signature made
 * elsewhere does not fit, and it promises nothing. Addresses with their checksum.
 */
export const claimMessage = (terms: ClaimTerms): string =>
  [
    `I claim the prize of raffle event ${terms.eventNumber}.`,
    '',
    ...(terms.winners > 1 ? [`Place: ${terms.place} of ${terms.winners}`] : []),
    `Winning ticket: ${terms.winningTicket}`,
    `My wallet: ${terms.walletAddress}`,
    `Operator wallet: ${terms.operatorWallet}`,
    `Chain: ${terms.chainId}`,
    '',
    'This signature costs nothing and moves no money.',
  ].join('\n')

/** Normalizes a typed code: upper case, groups of four, O read as 0, I and L as 1. */
export const normalizeClaimCode = (text: string): string =>
  (
    text
      .toUpperCase()
      .replaceAll(/[^0-9A-Z]/g, '')
      .replaceAll('O', '0')
      .replaceAll(/[IL]/g, '1')
      .match(/.{1,4}/g) ?? []
  ).join('-')
