export type ChainHealth = {
  finalHeight: string | null
  /** `finalized` has not moved for a minute. */
  isStalled: boolean
  /** Seconds that the newest block is ahead of the clock, negative while it is behind; null if not known. */
  skewSeconds: number | null
  /** RPC_UNSAFE: fewer than two providers, which are believed whatever they say. */
  isUnsafe: boolean
  /** False for ten minutes after a header whose hash is not that of its fields. */
  areHeadersKnown: boolean
  endpoints: EndpointHealth[]
}

/** Public facts of an endpoint. Only its host is shown: the rest of its URL may hold a key. */
export type EndpointHealth = {
  host: string
  /** `aside`: it told something else than two others, and is not asked for a while. */
  state: 'unused' | 'ok' | 'failing' | 'resting' | 'aside'
  failures: number
  lastFailure: string | null
  logs: 'unknown' | 'ranges' | 'receipts' | 'none'
  rangeBlocks: number
}
