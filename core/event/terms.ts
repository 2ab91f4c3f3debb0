import { type Address, type Hex, sha256, stringToBytes } from 'viem'
import type { Entropy } from './event.ts'

export const termsFields = [
  ...(['book', 'eventNumber', 'chainId', 'token', 'operatorWallet', 'anchorWallet', 'ticketPrice'] as const),
  ...(['saleStart', 'saleEnd', 'drawDate', 'minTickets', 'autoDraw', 'entropy', 'winners'] as const),
  ...(['claimDays', 'formerWalletsSha256', 'contentSha256'] as const),
] as const
export type TermsField = (typeof termsFields)[number]

const kind = 'blockdraw-terms-2'
const unset = 'none'

export type EventTerms = {
  /** Null before event 1 has a wallet. */
  book: Hex | null
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
  minTickets: number
  autoDraw: boolean
  entropy: Entropy
  winners: number
  claimDays: number
  /** Operator wallets of earlier events, which buy no tickets. */
  formerWallets: readonly Address[]
  contentSha256: Hex | null
}

/** The line, its newline included: UTF-8, times in Unix seconds, addresses in lower case. */
export function termsLine(terms: EventTerms): string {
  const values: Record<TermsField, unknown> = {
    ...terms,
    formerWalletsSha256: formerWalletsSha256(terms.formerWallets),
  }
  return `${[kind, ...termsFields.map((field) => text(values[field]))].join()}\n`
}

/** SHA-256 of the line's bytes, newline included: what an anchor of the terms carries. */
export const termsSha256 = (line: string): Hex => sha256(stringToBytes(line))

/** SHA-256 of the addresses in lower case, in order, one a line; null without one. */
export const formerWalletsSha256 = (wallets: readonly Address[]): Hex | null =>
  wallets.length === 0
    ? null
    : sha256(
        stringToBytes(
          wallets
            .map((wallet) => `${wallet.toLowerCase()}\n`)
            .sort()
            .join(''),
        ),
      )

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
  ...{ book: hashOrNone, token: /^0x[0-9a-f]{40}$/ },
  ...{ operatorWallet: addressOrNone, anchorWallet: addressOrNone },
  ...{ saleEnd: numberOrNone, drawDate: numberOrNone },
  ...{ autoDraw: /^(true|false)$/, entropy: /^blocks(\+drand)?$/ },
  ...{ formerWalletsSha256: hashOrNone, contentSha256: hashOrNone },
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

const text = (value: unknown): string =>
  value === null ? unset : value instanceof Date ? `${seconds(value)}` : String(value).toLowerCase()
