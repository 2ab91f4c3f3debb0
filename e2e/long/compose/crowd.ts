import type { Address, Hash } from 'viem'
import { accountsOf } from '../../lab/chain-verbs.ts'
import { payByHand } from '../../lab/pay.ts'
import { until } from '../../lab/until.ts'

type Place = { siteUrl: string; rpcUrl: string }
/** Longer than any answer takes: a visitor whom nobody answers found nobody listening. */
const deadlineMs = 30_000

/** One purchase as the page makes it: paid on chain, reported, and polled until the tickets are there. */
export async function buy({ siteUrl, rpcUrl }: Place, account: number, usdt: number) {
  const accounts = await accountsOf(rpcUrl)
  const hash = await payByHand(rpcUrl, accounts[account] as Address, usdt)
  const paidAt = performance.now()
  const posted = await report(siteUrl, hash)
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

/** Visitors during a fault, told in a few words; throws where one is answered wrongly or, unless `mayMiss`, finds nobody listening. */
export async function visitWhile(
  { siteUrl, bought }: { siteUrl: string; bought: readonly Hash[] },
  event: () => Promise<unknown>,
  mayMiss = false,
): Promise<string> {
  const failed: string[] = []
  let [visits, missed, slowestMs, isOver] = [0, 0, 0, false]
  const visit = async (client: number) => {
    for (let count = 0; !isOver; count++) {
      const began = performance.now()
      // A new address for each visit, as this does not test the limits for one visitor.
      const posted = report(
        siteUrl,
        bought[(client + count) % bought.length] as Hash,
        `203.0.${client}.${count % 250}`,
      )
      const got = fetch(`${siteUrl}/api/raffle/stats`, { signal: AbortSignal.timeout(deadlineMs) })
      for (const answer of await Promise.allSettled([posted, got])) {
        visits++
        if (answer.status === 'rejected') missed++
        else if (!answer.value.ok)
          failed.push(`${answer.value.status} at ${new Date().toISOString()}: ${await answer.value.text()}`)
      }
      slowestMs = Math.max(slowestMs, performance.now() - began)
      await Bun.sleep(100)
    }
  }
  const clients = Promise.all([1, 2, 3, 4].map(visit))
  await event().finally(() => {
    isOver = true
  })
  await clients
  const told = `${visits} visits, ${missed} found nobody, slowest ${Math.round(slowestMs)} ms`
  if (failed.length > 0 || (missed > 0 && !mayMiss))
    throw new Error(`${told}, ${failed.length} answered wrongly:\n${failed.slice(0, 10).join('\n')}`)
  return told
}
