/** `unknown`: the balances could not be read, or nothing was read for ten minutes. */
export type Cover = 'covered' | 'short' | 'unknown'

/** What the operator's wallets held and what was owed at one final block; amounts are whole units of the token as decimal text. */
export type PublicSolvency = {
  state: Cover
  held: string | null
  required: string | null
  block: { number: number; timestamp: number } | null
}
