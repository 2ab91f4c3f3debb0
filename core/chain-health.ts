/** What a worker reports of the chain, and the API passes on to administrators. */
export type ChainHealth = {
  finalHeight: string | null
  isStalled: boolean
  endpoints: {
    host: string
    state: 'unused' | 'ok' | 'failing' | 'resting'
    failures: number
    lastFailure: string | null
    /** How payments are read there. */
    logs: 'unknown' | 'ranges' | 'receipts' | 'none'
    rangeBlocks: number
  }[]
}
