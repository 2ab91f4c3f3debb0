import type { Address } from 'viem'

/** The facts that a winner's claim names. */
export type ClaimTerms = {
  eventNumber: number
  chainId: number
  operatorWallet: Address
  walletAddress: Address
  winningTicket: number
}

/**
 * The text that the winner signs with the paying wallet (EIP-191). It names the raffle, so a signature made
 * elsewhere does not fit, and it promises nothing. Addresses with their checksum.
 */
export const claimMessage = (terms: ClaimTerms): string =>
  [
    `I claim the prize of raffle event ${terms.eventNumber}.`,
    '',
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
