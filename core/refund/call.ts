export type Call = {
  offeredTotal: bigint | null
  validUntil: Date | null
  /** How often it was handed out and may still run. */
  offeredCalls: number | null
  transactionHash: string | null
  /** The nonce of the reported transaction, once a node has shown that it is this very call. */
  transactionNonce: number | null
}
/** `time` is that of the newest final block in seconds; `hashes` are reported transactions that are final. */
type Final = { time: number; hashes: readonly string[] }

/**
 * What has become of a call of the register that was handed out for a row. `mined`: the register remembers its total, so it
 * pays nothing more, however often it is mined. `dead`: its deadline has passed at a final block, or it is final itself,
 * was handed out once and has paid nothing. Undefined while it may still pay.
 */
export function callLanding(
  { offeredTotal, validUntil, offeredCalls, transactionHash, transactionNonce }: Call,
  remembered: bigint,
  final: Final | undefined,
): 'mined' | 'dead' | undefined {
  if (offeredTotal !== null && remembered >= offeredTotal) return 'mined'
  if (!final) return undefined
  if (validUntil && final.time * 1000 > validUntil.getTime()) return 'dead'
  const isFinal = transactionHash !== null && final.hashes.includes(transactionHash)
  return isFinal && transactionNonce !== null && (offeredCalls ?? 1) <= 1 ? 'dead' : undefined
}
