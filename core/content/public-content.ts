import type { Hex } from 'viem'
import type { EventContent } from './event-content.ts'

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

/** The open event's content, as `GET` and `PUT /api/admin/raffle/content` answer it. */
export type AdminContent = PublicContent & {
  /** Only links change: a payment has got a ticket, or the sale is over. */
  isLocked: boolean
  /** `version` of the next `PUT`: the open event's, which `raffle/config` has too. */
  version: number
}

/** The draft of the next event's content, as `/api/admin/raffle/next-content` answers it. */
export type NextContent = {
  /** The event that it is for. */
  eventNumber: number
  /** Null while there is no draft: the next event then takes over the open one's. */
  draft: EventContent | null
  /** What the next event would have, if it were opened now, and what follows from it. */
  next: EventContent | null
  contentSha256: Hex | null
  promised: string | null
  version: number
}
