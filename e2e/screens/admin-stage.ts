import { sql } from 'drizzle-orm'
import { concat, encodeFunctionData, erc20Abi, type Hex, parseUnits } from 'viem'
import { usdtOnBsc } from '../../core/server/env.ts'
import { events } from '../../db/schema/index.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { createOffice } from '../lab/admin-client.ts'
import { payBnb, payByHand, waitBlockTime } from '../lab/pay.ts'
import type { Stack } from '../lab/stack.ts'
import { anvilAccounts } from '../lab/wallet.ts'

/** Steps of a raffle between two pictures, each on the real chain and through the real API. */
export function createStage(stack: Stack, account: { username: string; password: string }) {
  const { chain, db } = stack
  const { call, login } = createOffice(() => stack.url, account)
  let drawAt = 0

  /** The call must succeed; every other answer is an error here. */
  async function must(method: string, path: string, body?: unknown) {
    const answer = await call(method, path, body)
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  async function until<T>(read: () => Promise<T>, isThere: (found: T) => boolean, what: string): Promise<T> {
    for (const end = Date.now() + 40_000; Date.now() < end; await Bun.sleep(100)) {
      const found = await read()
      if (isThere(found)) return found
    }
    throw new Error(`did not happen: ${what}`)
  }
  const sold = async (): Promise<number> => (await must('GET', '/api/raffle/stats')).ticketsSold
  const send = (from: string, data: Hex) =>
    rpc(chain.url, 'eth_sendTransaction', [{ from, to: usdtOnBsc, data, gas: '0x15f90' }])
  const transfer = (usdt: string): Hex =>
    encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [operatorAccount, parseUnits(usdt, 18)],
    })

  return {
    login,
    call: must,
    /** Small and large purchases, and payments that buy nothing: too little, and the operator's own. */
    async sell(): Promise<void> {
      const accounts = await anvilAccounts(chain.url)
      const amounts = [99, 3, 3_702, 300, 27, 1_200, 6, 45]
      for (const [index, usdt] of amounts.entries())
        await payByHand(chain.url, accounts[(index % 9) + 1] as Hex, usdt)
      await payByHand(chain.url, accounts[3] as Hex, 2)
      await payBnb(chain.url, accounts[4] as Hex)
      await send(operatorAccount, transfer('5'))
      const tickets = amounts.reduce((sum, usdt) => sum + Math.floor(usdt / 3), 0)
      await until(sold, (found) => found === tickets, 'all tickets issued')
      const withoutTicket = async () => (await must('GET', '/api/admin/payments?status=rejected')).length
      await until(withoutTicket, (found) => found === 2, 'money without a ticket listed')
    },
    /** A sale that ends in some seconds, and another minimum. */
    async endSoon(minTicketsForDraw: number): Promise<void> {
      drawAt = Math.ceil(Date.now() / 1000) + 13
      const drawDate = new Date(drawAt * 1000).toISOString()
      await must('PATCH', '/api/admin/raffle/config', { drawDate, minTicketsForDraw })
    },
    /** Waits until the list is frozen. */
    async freeze(): Promise<void> {
      const frozen = () => call('GET', '/api/admin/raffle/config')
      await until(frozen, ({ body }) => body.frozenAt !== null, 'the list is frozen')
    },
    async anchor(): Promise<void> {
      const [event] = await db.select().from(events).where(sql`${events.archivedAt} is null`)
      const hash = await send(operatorAccount, concat([transfer('0'), event?.ledgerSha256 as Hex]))
      const anchored = () => call('POST', '/api/admin/raffle/anchor', { transactionHash: hash })
      await until(anchored, ({ status }) => status === 200, 'the list is anchored')
    },
    /** Waits until the draw date. */
    reachDate: () => waitBlockTime(chain.url, drawAt * 1000),
    async draw(): Promise<void> {
      const begun = () => call('POST', '/api/admin/blockchain/draw')
      await until(begun, ({ status }) => status === 200, 'the draw begins')
      const winner = () => must('GET', '/api/raffle/winner')
      await until(winner, (found) => found !== null, 'a winner')
    },
    async enterRefundMode(): Promise<void> {
      const config = () => must('GET', '/api/raffle/config')
      await until(config, ({ isRefundMode }) => isRefundMode, 'refund mode')
    },
    /** The next event, with a few tickets sold. */
    async openNext(): Promise<void> {
      const drawDate = '2035-01-01T12:00:00Z'
      await must('PATCH', '/api/admin/raffle/config', { drawDate })
      const accounts = await anvilAccounts(chain.url)
      // Its sale begins a second after the newest block.
      await Bun.sleep(2_500)
      for (const index of [1, 2, 3]) await payByHand(chain.url, accounts[index] as Hex, index * 9)
      await until(sold, (found) => found === 18, 'tickets of the next event')
    },
  }
}

export type Stage = ReturnType<typeof createStage>
