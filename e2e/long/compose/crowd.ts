import type { Address, Hash } from 'viem'
import { accountsOf } from '../../lab/chain-verbs.ts'
import { payByHand } from '../../lab/pay.ts'
import { until } from '../../lab/until.ts'

type Place = { siteUrl: string; rpcUrl: string }
export type Tally = {
  posts: number
  failedPosts: string[]
  /** Answered "Please try again in a moment", and taken when they came again, as the page does by itself. */
  repeatedPosts: number
  gets: number
  failedGets: string[]
  slowestMs: number
}

/** Longer than any answer takes: a visitor whom nobody answers found nobody listening. */
const deadlineMs = 30_000

/** One purchase as the page makes it: paid on chain, reported, and polled until the tickets are there. */
export async function buy({ siteUrl, rpcUrl }: Place, account: number, usdt: number) {
  const accounts = await accountsOf(rpcUrl)
  const hash = await payByHand(rpcUrl, accounts[account] as Address, usdt)
  const paidAt = performance.now()
  const { posted } = await reportAgain(siteUrl, hash)
  if (!posted.ok) throw new Error(`A purchase was answered with ${posted.status} ${await posted.text()}`)
  const tickets = await ticketsOf(siteUrl, hash)
  return { hash, tickets, seconds: (performance.now() - paidAt) / 1000 }
}

export const report = (siteUrl: string, hash: Hash, visitor?: string): Promise<Response> =>
  fetch(`${siteUrl}/api/tickets/purchase`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(visitor && { 'x-forwarded-for': visitor }) },
    body: JSON.stringify({ transactionHash: hash }),
    keepalive: false,
    signal: AbortSignal.timeout(deadlineMs),
  })

/** As the page: "Please try again in a moment" promises nothing, so it is reported again after the second it names. */
async function reportAgain(siteUrl: string, hash: Hash, visitor?: string) {
  let posted = await report(siteUrl, hash, visitor)
  let repeats = 0
  for (; posted.status === 503 && repeats < 5; repeats++) {
    await Bun.sleep(1_000)
    posted = await report(siteUrl, hash, visitor)
  }
  return { posted, repeats }
}

/** Waits up to a minute for a paid hash to have its tickets. */
export async function ticketsOf(siteUrl: string, hash: Hash): Promise<number> {
  type Payment = { ticketCount: number; ticketNumber: number | null }
  let count = 0
  const isCredited = async () => {
    const response = await fetch(`${siteUrl}/api/tickets/purchase/${hash}`)
    if (!response.ok) return false
    const { status, payments } = (await response.json()) as { status: string; payments: Payment[] }
    count = payments[0]?.ticketCount ?? 0
    return status === 'credited' && payments[0]?.ticketNumber
  }
  await until(isCredited, `tickets of ${hash}`, 60_000)
  return count
}

/**
 * Visitors who report hashes and load the page during a fault: every other answer than the right one counts as failed,
 * and a report that had to be made again is counted.
 */
export async function visitWhile<T>(siteUrl: string, hashes: readonly Hash[], event: () => Promise<T>) {
  const tally: Tally = { posts: 0, failedPosts: [], repeatedPosts: 0, gets: 0, failedGets: [], slowestMs: 0 }
  let over = false
  const visit = async (client: number) => {
    for (let count = 0; !over; count++) {
      const began = performance.now()
      const hash = hashes[(client + count) % hashes.length] as Hash
      // A new address for each visit, as this does not test the limits for one visitor.
      const visitor = `203.0.${client}.${count % 250}`
      const posted = await reportAgain(siteUrl, hash, visitor)
        .then(({ posted, repeats }) => {
          if (repeats > 0) tally.repeatedPosts++
          return posted
        })
        .catch((error: Error) => error)
      tally.posts++
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - began)
      if (!(posted instanceof Response) || !posted.ok) tally.failedPosts.push(await describe('POST', posted))
      const got = await fetch(`${siteUrl}/api/raffle/stats`, {
        signal: AbortSignal.timeout(deadlineMs),
      }).catch((error: Error) => error)
      tally.gets++
      if (!(got instanceof Response) || !got.ok) tally.failedGets.push(await describe('GET', got))
      await Bun.sleep(20)
    }
  }
  const clients = Promise.all([1, 2, 3, 4].map(visit))
  const result = await event().finally(() => {
    over = true
  })
  await clients
  return { result, tally }
}

/** An answer begins with its status. */
const describe = async (method: string, outcome: Response | Error): Promise<string> =>
  outcome instanceof Response
    ? `${outcome.status} to a ${method} at ${new Date().toISOString().slice(11, 19)}: ${(await outcome.text()).slice(0, 80)}`
    : outcome.message
