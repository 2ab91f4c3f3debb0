import { sql } from 'drizzle-orm'
import pino from 'pino'
import type { Address, Hash, Hex } from 'viem'
import { unitsOf } from '../../core/money.ts'
import { getOpenEvent, watchWallet } from '../../db/event/events.ts'
import { connectChain } from '../../worker/chain/index.ts'
import type { Deps } from '../../worker/deps.ts'
import { scan } from '../../worker/payment/scan.ts'
import { prepareRefunds } from '../../worker/refund/prepare.ts'
import { watchRefunds } from '../../worker/refund/watch.ts'
import { openAdminApi } from './admin-api.ts'
import { openTestChain, operator } from './chain.ts'
import { withOtherPast } from './other-past.ts'
import { mintData, transferData, transfersBetween, usdt } from './usdt.ts'

type ListedRow = {
  id: number
  state: string
  reason: string | null
  dueUnits: string
  revision: number
}
/** `relayed` is false unless said otherwise: the test's wallet keeps the nonces that it is given. */
type OfferMore = { transactions?: number; nonce?: number; relayed?: boolean }
export type Desk = Awaited<ReturnType<typeof openDesk>>

/** The API, the jobs and a chain of its own, with event 1 on sale since an hour and one administrator logged in. */
export async function openDesk({ twoPerson = false } = {}) {
  const chain = await openTestChain()
  let jobs: Deps | undefined
  const adminApi = await openAdminApi({
    admin: { twoPerson },
    jobs: {
      enqueue: async (name, payload) => {
        if (name === 'prepare-refunds' && jobs)
          await prepareRefunds({ ...jobs, refundMinUnits: unitsOf(10) }, payload as object)
        return true
      },
    },
  })
  const { db } = adminApi
  const deps: Deps = {
    db: adminApi.dbOf('worker'),
    chain: connectChain([chain.url], 56),
    log: pino({ level: 'silent' }),
  }
  jobs = deps
  await withOtherPast(db, (tx) =>
    tx.execute(sql`update events set sale_start = now() - interval '1 hour', operator_wallet = ${operator},
      token = ${usdt}`),
  )
  await watchWallet(db, operator)
  await db.execute(sql`delete from operator_wallets where address <> ${operator}`)
  const token = await adminApi.login()
  // More than the payments brought in: a double payment must not fail for lack of money.
  await chain.submit({ from: operator, to: usdt, data: mintData(operator, unitsOf(100_000_000)) })
  await chain.mine()
  const post = (path: string, body?: unknown) =>
    adminApi.call('POST', `/api/admin${path}`, { token, ...(body !== undefined && { body }) })
  const get = (path: string) => adminApi.call('GET', `/api/admin${path}`, { token })

  async function finalFacts(): Promise<void> {
    await chain.finalize()
    await scan(deps)
    await watchRefunds(deps)
  }
  async function refundMode(): Promise<void> {
    await finalFacts()
    await db.execute(sql`update events set refund_mode_at = now(), frozen_at = now(), ledger_sha256 = '0x',
      ledger_lines = 1, draw_date = now(), sale_end = now()`)
  }
  /** Names the totals that the desk shows. */
  async function execute(kind: 'event' | 'leftover' = 'event') {
    const { body: desk } = await get('/refunds')
    const { totalTickets, totalAmount } = desk.summary[kind]
    return post('/raffle/execute-refund', { refundInfo: { totalTickets, totalAmount }, kind })
  }
  /** Three buyers paid 6, 9 and 12 USDT, and too few tickets were sold. `after` the payments, before the batch. */
  async function missedMinimum(after?: () => Promise<unknown>) {
    for (const [at, cents] of [600, 900, 1_200].entries())
      await chain.submitPayment({ from: chain.buyers[at] as Address, cents })
    await after?.()
    await refundMode()
    const { body } = await execute()
    return body.refundTransactions.map((row: { id: number }) => row.id) as [number, number, number]
  }
  /** As the desk lists it. */
  async function row(id: number): Promise<ListedRow | undefined> {
    const { body } = await get('/refunds')
    return body.rows.find((row: ListedRow) => row.id === id)
  }
  const nonce = async (block: 'pending' | 'latest' = 'pending') =>
    Number(await chain.rpc<Hex>('eth_getTransactionCount', [operator, block]))

  return {
    ...{ chain, adminApi, db, deps, token, post, get, execute, refundMode, missedMinimum, row, nonce },
    /** Mines until all is final, then scans and watches, as the workers do. */
    settle: finalFacts,
    watch: () => watchRefunds(deps),
    event: async () => (await getOpenEvent(db)) ?? fail(),
    /** The operator's wallet sends; waits for `mine`. Another gas price replaces what waits with that nonce. */
    transfer: (to: Address, units: bigint, more: { nonce?: number; gasPrice?: bigint } = {}): Promise<Hash> =>
      chain.submit({ from: operator, to: usdt, data: transferData(to, units), ...more }),
    /** The operator's wallet cancels what waits with that nonce. */
    cancel: (nonce: number): Promise<Hash> =>
      chain.submit({ from: operator, to: operator, gas: 21_000n, gasPrice: 10n ** 11n, nonce }),
    /** A minute passes in which no page waits for its wallet. */
    abandon: () => db.execute(sql`update refund_rows set offered_at = offered_at - interval '2 minutes'`),
    offer: async (ids: readonly number[], more: OfferMore = {}) =>
      post('/refunds/offer', { ids, wallet: operator, nonce: await nonce(), relayed: false, ...more }),
    /** USDT that went from the operator's wallet to each address, counted from the logs. */
    paidOut: async (): Promise<Map<Address, bigint>> => {
      const sums = new Map<Address, bigint>()
      for (const { to, units } of await transfersBetween(chain.url, { from: operator }))
        sums.set(to, (sums.get(to) ?? 0n) + units)
      return sums
    },
    close: async () => {
      await adminApi.close()
      await chain.stop()
    },
  }
}

function fail(): never {
  throw new Error('there is no open event')
}
