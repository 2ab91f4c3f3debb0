import { mostTickets } from '../money.ts'

/** The most tickets of an event, and of one wallet in it; null for no cap. */
export type Caps = { maxTickets: number | null; maxPerWallet: number | null }

/** What is wrong with caps beside a minimum, in the administrator's language; undefined for nothing. */
export function wrongCaps({
  maxTickets,
  maxPerWallet,
  minTickets,
}: Caps & { minTickets: number }): { field: keyof Caps; text: string } | undefined {
  if (maxTickets !== null && maxTickets < minTickets)
    return {
      field: 'maxTickets',
      text: `최대 티켓 수는 최소 티켓 수(${minTickets})보다 적을 수 없습니다. 아무도 최소 티켓 수를 채울 수 없게 됩니다.`,
    }
  if (maxTickets !== null && maxPerWallet !== null && maxPerWallet > maxTickets)
    return {
      field: 'maxPerWallet',
      text: `지갑당 최대 티켓 수는 최대 티켓 수(${maxTickets})보다 많을 수 없습니다.`,
    }
  return undefined
}

/** How many more tickets fit before a payer who has `held` of the `sold` ones meets a cap; both caps at their own. */
export const leftUnder = (
  { maxTickets, maxPerWallet }: Caps,
  { sold, held }: { sold: number; held: number },
): { inTotal: number; ofWallet: number } => ({
  inTotal: Math.max(0, (maxTickets ?? mostTickets) - sold),
  ofWallet: Math.max(0, (maxPerWallet ?? mostTickets) - held),
})
