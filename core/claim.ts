import type { Address } from 'viem'

/** Who won what, as the claim names it. */
export type ClaimTerms = {
  eventNumber: number
  chainId: number
  operatorWallet: Address
  walletAddress: Address
  winningTicket: number
}

/**
 * What the winner signs with the paying wallet (EIP-191): names the raffle, so that no signature made
 * elsewhere fits, and promises nothing. Addresses with their checksum.
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

/** A code as people type it: upper case, four groups, letters that are mistaken for digits read as them. */
export const normalizeClaimCode = (text: string): string =>
  (
    text
      .toUpperCase()
      .replaceAll(/[^0-9A-Z]/g, '')
      .replaceAll('O', '0')
      .replaceAll(/[IL]/g, '1')
      .match(/.{1,4}/g) ?? []
  ).join('-')
