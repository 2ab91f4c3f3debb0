import type { Address, Hex } from 'viem'
import { register } from '../../../core/chain/register.ts'
import { encodeAnchor } from '../../../core/draw/anchor.ts'
import { commitmentOfEvent } from '../../../db/draw/anchors.ts'
import { mustHaveEvent } from '../../../db/event/events.ts'
import { getBook } from '../../../db/event/terms.ts'
import { operatorAccount } from '../../../infra/local/chain.ts'
import { createAdminClient } from '../../lab/admin-client.ts'
import { accountsOf, sendMined, waitBlockTime } from '../../lab/chain-verbs.ts'
import { payBnb, payByHand } from '../../lab/pay.ts'
import type { Stack } from '../../lab/stack.ts'
import { until } from '../../lab/until.ts'
import { transferData, usdt, usdtGas, usdtUnits } from '../../lab/usdt.ts'

/** Steps of a raffle between two pictures, each on the real chain and through the real API. */
export function createStage(stack: Stack, account: { username: string; password: string }) {
  const { chain, db } = stack
  const { call, login } = createAdminClient(() => stack.url, account)
  let drawAt = 0

  /** The call must succeed; every other answer is an error here. */
  async function must(method: string, path: string, body?: unknown) {
    const answer = await call(method, path, body)
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const untilThere = async <T>(read: () => Promise<T>, isThere: (found: T) => boolean, what: string) =>
    void (await until(async () => isThere(await read()), what, 320_000))
  const sold = async (): Promise<number> => (await must('GET', '/api/raffle/stats')).ticketsSold
  const sendAsOperator = (data: Hex, to: Address = usdt) =>
    sendMined(chain.url, { from: operatorAccount, to, data, gas: usdtGas })

  return {
    login,
    call: must,
    /** Small and large purchases, and payments that buy nothing: too little, and the operator's own. */
    async sell(): Promise<void> {
      const accounts = await accountsOf(chain.url)
      const amounts = [99, 3, 3_702, 300, 27, 1_200, 6, 45]
      for (const [index, usdt] of amounts.entries())
        await payByHand(chain.url, accounts[(index % 9) + 1] as Address, usdt)
      await payByHand(chain.url, accounts[3] as Address, 2)
      await payBnb(chain.url, accounts[4] as Address)
      await sendAsOperator(transferData(operatorAccount, usdtUnits(5)))
      const tickets = amounts.reduce((sum, usdt) => sum + Math.floor(usdt / 3), 0)
      await untilThere(sold, (found) => found === tickets, 'all tickets issued')
      const withoutTicket = async () => (await must('GET', '/api/admin/payments?status=rejected')).length
      await untilThere(withoutTicket, (found) => found === 2, 'money without a ticket listed')
    },
    /** What the next event will promise. */
    async draftNext(): Promise<void> {
      const { version } = await must('GET', '/api/admin/raffle/next-terms')
      const terms = {
        drawDate: new Date(Date.now() + 90 * 86_400_000).toISOString(),
        minTicketsForDraw: 250,
        autoDraw: false,
        claimDays: 60,
      }
      await must('PUT', '/api/admin/raffle/next-terms', { ...terms, version })
    },
    /** A draw in so many seconds; saved once the event is over, it opens the next one. */
    async drawIn(seconds: number): Promise<void> {
      drawAt = Math.ceil(Date.now() / 1000) + seconds
      const drawDate = new Date(drawAt * 1000).toISOString()
      await must('PATCH', '/api/admin/raffle/config', { drawDate })
    },
    /** Waits until the list is frozen. */
    async freeze(): Promise<void> {
      const frozen = () => call('GET', '/api/admin/raffle/config')
      await untilThere(frozen, ({ body }) => body.frozenAt !== null, 'the list is frozen')
    },
    async anchor(): Promise<void> {
      const event = await mustHaveEvent(db)
      const data = encodeAnchor((await getBook(db)) as Hex, event.number, commitmentOfEvent(event) as Hex)
      await sendAsOperator(data, register.address)
      const anchors = () => call('GET', '/api/admin/raffle/anchor')
      await untilThere(anchors, ({ body }) => body.list?.transactionHash != null, 'the list is anchored')
    },
    /** Waits until the draw date. */
    reachDate: () => waitBlockTime(chain.url, drawAt * 1000),
    async draw(): Promise<void> {
      const begun = () => call('POST', '/api/admin/blockchain/draw')
      await untilThere(begun, ({ status }) => status === 200, 'the draw begins')
      const winner = () => must('GET', '/api/raffle/winner')
      await untilThere(winner, (found) => found !== null, 'a winner')
    },
    async enterRefundMode(): Promise<void> {
      const config = () => must('GET', '/api/raffle/config')
      await untilThere(config, ({ isRefundMode }) => isRefundMode, 'refund mode')
    },
    /** A few tickets of the event that has just been opened. */
    async sellFew(): Promise<void> {
      const accounts = await accountsOf(chain.url)
      const next = await mustHaveEvent(db)
      await waitBlockTime(chain.url, next.saleStart.getTime())
      for (const index of [1, 2, 3]) await payByHand(chain.url, accounts[index] as Address, index * 9)
      await untilThere(sold, (found) => found === 18, 'tickets of the next event')
    },
  }
}

export type Stage = ReturnType<typeof createStage>
