import { type Address, sha256, stringToHex } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { typedCode } from '../typed-code.ts'

export type ClaimTerms = {
  eventNumber: number
  chainId: number
  operatorWallet: Address
  walletAddress: Address
  /** Of the holder: a winner's, or that of the reserve whose turn it is. */
  winningTicket: number
  /** 1..`winners`: of the prize. */
  place: number
  winners: number
}

/** What a winner whom the site does not answer anchors from his wallet: that he wants the prize. */
export const claimCommitment = sha256(stringToHex('blockdraw-claim-1'))

/** Where and when a message may be used: on one site, once, in ten minutes. */
export type ClaimSession = { origin: string; nonce: string; issuedAt: Date }

export const claimMinutes = 10

/** EIP-4361. It names the raffle, so a signature made elsewhere does not fit. Throws for an origin that no message can name. */
export function claimMessage(terms: ClaimTerms, { origin, nonce, issuedAt }: ClaimSession): string {
  const { eventNumber, place, winners, winningTicket, walletAddress, operatorWallet } = terms
  const facts = `place ${place} of ${winners}, winning ticket ${winningTicket}, wallet ${walletAddress}, operator wallet ${operatorWallet}`
  return createSiweMessage({
    domain: new URL(origin).host,
    uri: `${origin}/`,
    address: walletAddress,
    statement: `I claim the prize of raffle event ${eventNumber}: ${facts}. This signature costs nothing and moves no money.`,
    version: '1',
    chainId: terms.chainId,
    nonce,
    issuedAt,
    expirationTime: new Date(issuedAt.getTime() + claimMinutes * 60_000),
  })
}

/** Where and when a message says that it was made; undefined for a text of another kind. */
export function sessionOf(message: string): ClaimSession | undefined {
  const { uri, nonce, issuedAt } = parseSiweMessage(message)
  if (!uri || !nonce || !issuedAt || Number.isNaN(issuedAt.getTime()) || !URL.canParse(uri)) return undefined
  return { origin: new URL(uri).origin, nonce, issuedAt }
}

/** A code as it was made, of one as people type it: upper case, groups of four, O read as 0, I and L as 1. */
export const normalizeClaimCode = (text: string): string =>
  (
    typedCode(text)
      .toUpperCase()
      .replaceAll(/[^0-9A-Z]/g, '')
      .replaceAll('O', '0')
      .replaceAll(/[IL]/g, '1')
      .match(/.{1,4}/g) ?? []
  ).join('-')

/** Hosts of the winner's delivery form where FORM_HOSTS names none. */
export const defaultFormHosts: readonly string[] = ['docs.google.com', 'forms.gle']

/** An https address on one of these hosts exactly: no other port, no user, no final dot. */
export function isFormUrl(value: string, hosts: readonly string[]): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return (
    url?.protocol === 'https:' &&
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    hosts.includes(url.hostname)
  )
}

/** As FORM_HOSTS lists them: a name of two labels or more, in lower case, nothing around it. */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(text)
