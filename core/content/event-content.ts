import type { Address, Hash, Hex } from 'viem'
import type { Entropy } from '../event/event.ts'
import type { PublicPrize } from '../prize/promise.ts'
import type { RefundCause } from '../refund/rules.ts'
import type { ContentForm } from './read-content.ts'

export type Both = { en: string; ko: string }

/** `sha256` is of the stored file's bytes, `key` its name in our storage. */
export type Picture = { key: string; sha256: Hex; width: number; height: number; alt: Both }

/** Beside each stored picture there are narrower ones, each no wider than this and never enlarged. */
export const pictureWidths = [480, 1_200] as const

/** The address, or key, of a narrower picture; another address has none. */
export const narrower = (url: string, width: number): string | undefined =>
  /[0-9a-f]{32}\.(jpg|png)$/.test(url) ? url.replace(/\.\w+$/, `-${width}.webp`) : undefined

/** Those of an address as a `srcset` names them, only ones narrower than the picture where its width is known. */
export const narrowerSet = (url: string, pictureWidth = Number.POSITIVE_INFINITY): string[] =>
  pictureWidths.flatMap((width) => {
    const narrow = width < pictureWidth && narrower(url, width)
    return narrow ? [`${narrow} ${width}w`] : []
  })

type FormPrize = ContentForm['prizes'][number]
export type ContentPrize = Omit<FormPrize, 'pictures'> & { pictures: readonly Picture[] }

export type EventContent = Omit<ContentForm, 'prizes'> & { prizes: readonly ContentPrize[] }

export type EventState =
  | 'soon'
  | 'on-sale'
  | 'sale-over'
  | 'drawn'
  | 'refunding'
  | 'refunded'
  | 'archived-undrawn'

/** The answer of `GET /api/raffle/event/{n}`. Dates are ISO texts with Z, prices and amounts hundredths of a USDT. */
export type EventPage = {
  eventNumber: number
  state: EventState
  isArchived: boolean
  /** Null for an event from before contents were kept: the page then shows terms and result alone. */
  content: EventContent | null
  contentSha256: Hex | null
  terms: string
  termsSha256: Hex
  ticketPrice: number
  ticketsSold: number
  minTickets: number
  saleStart: string
  saleEnd: string | null
  drawDate: string | null
  entropy: Entropy
  operatorWallet: Address | null
  chainId: number
  tokenAddress: Address
  refundReason: RefundCause | null
  /** Null before the reveal, and while an administrator hides the winner. */
  result: {
    winners: readonly {
      place: number
      walletAddress: Address
      transactionHash: Hash
      /** The drawn ticket. */
      ticketNumber: number
      /** Of the payment that bought it. */
      ticketCount: number
    }[]
    randomNumber: string
    drawnAt: string
    ledgerSha256: Hex
    commitment: Hex | null
  } | null
  hasLedger: boolean
  prizes: readonly PublicPrize[]
  changes: readonly { at: string; field: string; from: string | null; to: string | null }[]
}

/** The answer of `GET /api/raffle/content/{n}`: what anybody needs to check that a content is the one that was promised. */
export type PublicContent = {
  eventNumber: number
  /** Null for an event from before contents were kept, as the two below. */
  content: EventContent | null
  /** `contentSha256` of the terms line: SHA-256 of `promised`. */
  contentSha256: Hex | null
  /** RFC 8785 JSON of what of the content is promised. */
  promised: string | null
}

/** Bounds of an event's content. Lengths are in code points of the normalized text. */
export const contentLimits = {
  titleLines: 3,
  titleLine: 40,
  lead: 300,
  summary: 200,
  prizes: 20,
  name: 60,
  value: 24,
  about: 400,
  facts: 12,
  factName: 40,
  factValue: 80,
  /** Of one prize. */
  pictures: 8,
  alt: 160,
  shipping: 400,
  links: 5,
  label: 60,
  url: 2_048,
} as const
