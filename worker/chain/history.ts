import { RaffleError } from '../../core/errors.ts'

/** A block this far below the head is not just late on a node that is behind. */
export const pastLag = 1_000n

export const historyMissing = (height: bigint | number): RaffleError =>
  new RaffleError('HISTORY_MISSING', 'The endpoints of RPC_URLS no longer have blocks that are needed.', {
    height: `${height}`,
  })

/** Throws HISTORY_MISSING if a block that no endpoint has is so old that it must have been there once. */
export function expectRecent(height: bigint, head: { number: bigint }): void {
  if (head.number - height > pastLag) throw historyMissing(height)
}
