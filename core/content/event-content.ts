/** What an event raffles and says of it, in both languages: data of the event, not of the site. */

import type { Hex } from 'viem'

export type Both = { en: string; ko: string }

/** `sha256` is of the stored file's bytes, `key` its name in our storage. */
export type Picture = { key: string; sha256: Hex; width: number; height: number; alt: Both }

export type ContentPrize = {
  name: Both
  /** As it is printed, `$2,500`. */
  value: string
  kind: 'goods' | 'token'
  /** Hundredths of a USDT for `token`, else null. */
  amount: number | null
  /** How many of it: the copies of all prizes are the event's `winners`, in order of their places. */
  copies: number
  about: Both
  facts: readonly { name: Both; value: Both }[]
  pictures: readonly Picture[]
}

export type EventContent = {
  /** Up to three lines. */
  title: Both
  /** {price} is the live ticket price. */
  lead: Both
  /** For search engines and shared links. */
  summary: Both
  prizes: readonly ContentPrize[]
  shipping: Both
  links: readonly { label: Both; url: string }[]
}
