import { sql } from 'drizzle-orm'
import pino from 'pino'
import { type Address, encodeFunctionData, erc20Abi, type Hash, type Hex, numberToHex, parseAbi } from 'viem'
import { unitsOf } from '../../core/money.ts'
import { getOpenEvent, watchWallet } from '../../db/event/events.ts'
import { connectChain } from '../../worker/chain/index.ts'
import type { Deps } from '../../worker/deps.ts'
import { scan } from '../../worker/payment/scan.ts'
import { prepareRefunds } from '../../worker/refund/prepare.ts'
import { watchRefunds } from '../../worker/refund/watch.ts'
import { openOffice } from './admin-api.ts'
import { openTestChain, operator, usdt } from './chain.ts'

export type Desk = Awaited<ReturnType<typeof openDesk>>

/** The API, the jobs and a chain of its own, with event 1 on sale since an hour and one administrator logged in. */
export async function openDesk() {
  const chain = await openTestChain()
  let jobs: Deps | undefined
  const office = await openOffice({
    bell: {
      ring: async (name, payload) => {
        if (name === 'prepare-refunds' && jobs)
          await prepareRefunds({ ...jobs, refundMinUnits: unitsOf(10) }, payload as object)
        return true
      },
    },
  })
  const { db } = office
  const deps: Deps = { db, chain: connectChain([chain.url], 56), log: pino({ level: 'silent' }) }
  jobs = deps
  await db.execute(sql`update events set sale_start = now() - interval '1 hour', operator_wallet = ${operator},
    token = ${usdt}`)
  await watchWallet(db, operator)
  await db.execute(sql`delete from operator_wallets where address <> ${operator}`)
  const token = await office.login()
  // More than the payments brought in: what is paid twice must not fail for want of money.
  const mint = parseAbi(['function mint(address to, uint256 value)'])
  await chain.send({
    ...{ from: operator, to: usdt },
    data: encodeFunctionData({ abi: mint, functionName: 'mint', args: [operator, unitsOf(100_000_000)] }),
  })
  await chain.mine()
  const post = (path: string, body?: unknown) =>
    office.call('POST', `/api/admin${path}`, { token, ...(body !== undefined && { body }) })
  const get = (path: string) => office.call('GET', `/api/admin${path}`, { token })

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
  const nonce = async (block: 'pending' | 'latest' = 'pending') =>
    Number(await chain.rpc<Hex>('eth_getTransactionCount', [operator, block]))

  return {
    ...{ chain, office, db, deps, token, post, get, execute, refundMode, nonce },
    /** Mines until all is final, then scans and watches, as the workers do. */
    settle: finalFacts,
    watch: () => watchRefunds(deps),
    event: async () => (await getOpenEvent(db)) ?? fail(),
    /** The operator's wallet sends; waits for `mine`. Another gas price replaces what waits with that nonce. */
    transfer: (to: Address, units: bigint, more: { nonce?: number; gasPrice?: bigint } = {}): Promise<Hash> =>
      chain.rpc('eth_sendTransaction', [
        {
          from: operator,
          to: usdt,
          data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] }),
          gas: '0x15f90',
          gasPrice: numberToHex(more.gasPrice ?? 10n ** 9n),
          ...(more.nonce !== undefined && { nonce: numberToHex(more.nonce) }),
        },
      ]),
    /** The operator's wallet cancels what waits with that nonce. */
    cancel: (nonce: number): Promise<Hash> =>
      chain.rpc('eth_sendTransaction', [
        {
          ...{ from: operator, to: operator, value: '0x0', gas: '0x5208' },
          ...{ gasPrice: numberToHex(10n ** 11n), nonce: numberToHex(nonce) },
        },
      ]),
    /** A minute passes in which no page waits for its wallet. */
    abandon: () => db.execute(sql`update refund_rows set offered_at = offered_at - interval '2 minutes'`),
    offer: async (ids: readonly number[], more: { transactions?: number; nonce?: number } = {}) =>
      post('/refunds/offer', { ids, wallet: operator, nonce: await nonce(), ...more }),
    /** USDT that went from the operator's wallet to each address, counted from the logs. */
    paidOut: async (): Promise<Map<Address, bigint>> => {
      const logs = await chain.rpc<{ topics: [Hex, Hex, Hex]; data: Hex }[]>('eth_getLogs', [
        {
          fromBlock: '0x0',
          address: usdt,
          topics: [
            '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
            `0x${operator.slice(2).padStart(64, '0')}`,
          ],
        },
      ])
      const sums = new Map<Address, bigint>()
      for (const { topics, data } of logs) {
        const to: Address = `0x${topics[2].slice(26)}`
        sums.set(to, (sums.get(to) ?? 0n) + BigInt(data))
      }
      return sums
    },
    close: async () => {
      await office.close()
      await chain.stop()
    },
  }
}

function fail(): never {
  throw new Error('there is no open event')
}
