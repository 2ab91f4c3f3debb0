import type { Proof } from '../draw/proof.ts'
import { mostTickets } from '../money.ts'

/**
 * The caps of the terms, for a walk along the list: `take` each line. A payment that would go beyond one of them gets no
 * ticket as a whole.
 */
export function createRoom(_: Proof) {
  const [maxTickets, maxPerWallet] = [mostTickets, mostTickets]
  // Without a cap for a payer nothing is counted, as a million of them would fill the memory.
  const held = maxPerWallet < mostTickets ? new Map<string, number>() : undefined
  const heldBy = (payer: string) => held?.get(payer) ?? 0
  return {
    maxTickets,
    maxPerWallet,
    take: (payer: string, ticketCount: number): void => void held?.set(payer, heldBy(payer) + ticketCount),
    has: (sold: number, payer: string, ticketCount: number): boolean =>
      sold + ticketCount <= maxTickets && heldBy(payer) + ticketCount <= maxPerWallet,
  }
}
