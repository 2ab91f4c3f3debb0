import { type Address, type Hex, sha256, stringToBytes } from 'viem'
import { dateByOf, drawByOf, type Entropy } from './event.ts'

/** The fields of the terms line, in order. */
export const termsFields = [
  ...(['eventNumber', 'chainId', 'token', 'operatorWallet', 'anchorWallet', 'ticketPrice'] as const),
  ...(['saleStart', 'saleEnd', 'drawDate', 'drawBy', 'dateBy', 'minTickets', 'autoDraw'] as const),
  ...(['entropy', 'winners', 'claimDays', 'maxTickets', 'maxPerWallet'] as const),
  ...(['ownWalletsSha256', 'contentSha256'] as const),
] as const
export type TermsField = (typeof termsFields)[number]

const kind = 'blockdraw-terms-1'
const unset = 'none'

/** What an event promises. */
export type EventTerms = {
  eventNumber: number
  chainId: number
  token: Address
  operatorWallet: Address | null
  anchorWallet: Address | null
  /** Units of 10^-18 of the token. */
  ticketPrice: bigint
  saleStart: Date
  saleEnd: Date | null
  drawDate: Date | null
  /** Time of the first payment that got a ticket. */
  firstTicketAt: Date | null
  minTickets: number
  autoDraw: boolean
  entropy: Entropy
  winners: number
  claimDays: number
  maxTickets: number | null
  maxPerWallet: number | null
  ownWallets: readonly OwnWallet[]
  contentSha256: Hex | null
}

/** A wallet of the operator, which buys nothing from `since` on. */
export type OwnWallet = { address: Address; since: Date }

/** The line, its newline included: UTF-8, times in Unix seconds, addresses in lower case. */
export function termsLine(terms: EventTerms): string {
  const { drawDate, firstTicketAt, entropy, ownWallets } = terms
  const values: Record<TermsField, unknown> = {
    ...terms,
    drawBy: drawDate && drawByOf(drawDate, entropy),
    dateBy: firstTicketAt && dateByOf(firstTicketAt),
    ownWalletsSha256: ownWalletsSha256(ownWallets),
  }
  return `${[kind, ...termsFields.map((field) => text(values[field]))].join()}\n`
}

/** SHA-256 of the line's bytes, newline included. */
export const termsSha256 = (line: string): Hex => sha256(stringToBytes(line))

/** SHA-256 of the canonical list of own wallets; null without one. */
export const ownWalletsSha256 = (wallets: readonly OwnWallet[]): Hex | null =>
  wallets.length > 0 ? sha256(stringToBytes(ownWalletsText(wallets))) : null

/**
 * The canonical list of own wallets, `address,since` a line, oldest first.
 * @internal
 */
export const ownWalletsText = (wallets: readonly OwnWallet[]): string =>
  wallets
    .map(({ address, since }) => ({ address: address.toLowerCase(), since: seconds(since) }))
    .sort((a, b) => a.since - b.since || (a.address < b.address ? -1 : 1))
    .map(({ address, since }) => `${address},${since}\n`)
    .join('')

/** The values of a line by their fields; undefined for a text that is no such line, in its one form. */
export function parseTerms(line: string): Record<TermsField, string> | undefined {
  const [first, ...values] = line.endsWith('\n') ? line.slice(0, -1).split(',') : []
  if (first !== kind || values.length !== termsFields.length) return undefined
  const terms = Object.fromEntries(termsFields.map((field, index) => [field, values[index]]))
  return termsFields.every((field) => (forms[field] ?? number).test(terms[field] as string))
    ? (terms as Record<TermsField, string>)
    : undefined
}

const number = /^(0|[1-9]\d{0,77})$/
const numberOrNone = /^(none|0|[1-9]\d{0,15})$/
const addressOrNone = /^(none|0x[0-9a-f]{40})$/
const hashOrNone = /^(none|0x[0-9a-f]{64})$/
const forms: Partial<Record<TermsField, RegExp>> = {
  ...{ token: /^0x[0-9a-f]{40}$/, operatorWallet: addressOrNone, anchorWallet: addressOrNone },
  ...{ saleEnd: numberOrNone, drawDate: numberOrNone, drawBy: numberOrNone, dateBy: numberOrNone },
  ...{ autoDraw: /^(true|false)$/, entropy: /^blocks(\+drand)?$/ },
  ...{ maxTickets: numberOrNone, maxPerWallet: numberOrNone },
  ...{ ownWalletsSha256: hashOrNone, contentSha256: hashOrNone },
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

const text = (value: unknown): string =>
  value === null ? unset : value instanceof Date ? `${seconds(value)}` : String(value).toLowerCase()
