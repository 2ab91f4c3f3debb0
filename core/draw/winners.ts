import { concat, type Hex, numberToHex, sha256, stringToHex } from 'viem'

export const reservesDrawn = 3
export const mostWinners = 20

/** A payment's place in the list: `ticketNumber` is its first ticket. */
export type Holding = { payer: string; ticketNumber: number; ticketCount: number }

export type Holdings<T extends Holding> = {
  ticketsSold: number
  holderOf: (ticket: number) => T | Promise<T>
  paymentsOf: (payer: string) => readonly Holding[] | Promise<readonly Holding[]>
}

export type DrawnTicket<T extends Holding> = { ticket: number; payment: T }
type Drawn<T extends Holding> = { winners: DrawnTicket<T>[]; reserves: DrawnTicket<T>[] }

/**
 * Each of another payer: the first holds `winningTicket`, the others are drawn from the tickets of payers not drawn yet, by
 * numbers made of the accepted seed. Fewer payers give fewer of them.
 */
export async function drawAll<T extends Holding>(
  draw: { seed: Hex; winningTicket: number },
  count: number,
  holdings: Holdings<T>,
): Promise<Drawn<T>> {
  const taken: Holding[] = []
  const take = async (ticket: number): Promise<DrawnTicket<T>> => {
    const payment = await holdings.holderOf(ticket)
    taken.push(...(await holdings.paymentsOf(payment.payer)))
    taken.sort((a, b) => a.ticketNumber - b.ticketNumber)
    return { ticket, payment }
  }
  const next = async (kind: 'winner' | 'reserve', k: number): Promise<DrawnTicket<T> | undefined> => {
    const left = holdings.ticketsSold - taken.reduce((sum, { ticketCount }) => sum + ticketCount, 0)
    return left > 0 ? take(ticketAt(taken, placeOf(draw.seed, kind, k, left))) : undefined
  }
  const drawn: Drawn<T> = { winners: [await take(draw.winningTicket)], reserves: [] }
  for (let k = 2; k <= count; k++) {
    const winner = await next('winner', k)
    if (winner) drawn.winners.push(winner)
  }
  for (let k = 1; k <= reservesDrawn; k++) {
    const reserve = await next('reserve', k)
    if (reserve) drawn.reserves.push(reserve)
  }
  return drawn
}

/**
 * 1..`left`: SHA-256(seed ‖ kind ‖ k ‖ try as 4 bytes each) mod `left` + 1, tried again where that favours tickets. @internal
 */
export function placeOf(
  seed: Hex,
  kind: 'winner' | 'reserve',
  k: number,
  left: number,
  limit: bigint = numbers - (numbers % BigInt(left)),
): number {
  for (let attempt = 0; ; attempt++) {
    const bytes = [seed, stringToHex(kind), numberToHex(k, { size: 4 }), numberToHex(attempt, { size: 4 })]
    const x = BigInt(sha256(concat(bytes as Hex[])))
    if (x < limit) return Number(x % BigInt(left)) + 1
  }
}

/** The ticket at a place among those that are not taken; `taken` in file order. */
function ticketAt(taken: readonly Holding[], place: number): number {
  let ticket = place
  for (const { ticketNumber, ticketCount } of taken) {
    if (ticketNumber > ticket) break
    ticket += ticketCount
  }
  return ticket
}

const numbers = 2n ** 256n
