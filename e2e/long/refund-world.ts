import type { Address, Hash, Hex } from 'viem'
import { register } from '../../core/chain/register.ts'
import { encodePaid } from '../../core/refund/safe-file.ts'
import { getBook } from '../../db/event/terms.ts'
import { buildApi } from '../lab/build-api.ts'
import { heightOf, revertTo } from '../lab/chain-verbs.ts'
import { passingClock } from '../lab/hand-clock.ts'
import { transfersBetween, usdt } from '../lab/usdt.ts'
import { wallets } from './simulation/simulated-chain.ts'
import { admin, openStage } from './simulation/stage.ts'
import { runJob, scanOnce } from './simulation/work-steps.ts'
import { openWorld } from './simulation/world.ts'

/** The operator's wallet, and somebody else's who pays refunds as well. */
export const operator = wallets[0]
export const buyers = [1, 2, 3, 4, 5] as const

/** A stage with an administrator's dashboard on it: the API itself, whose session is good for ten minutes of the story's time. */
export async function openDesk(postgresUrl: string) {
  const stage = await openStage(postgresUrl)
  const api = buildApi({ db: stage.db, url: stage.databaseUrl }, { clock: passingClock() })
  let token = ''
  let visits = 0
  const send = (method: string, path: string, body?: unknown) => {
    visits += 1
    return api.call(method, path, { body, token, from: `10.9.${(visits >> 8) & 255}.${visits & 255}` })
  }
  async function call(method: string, path: string, body?: unknown) {
    const answer = await send(method, path, body)
    if (answer.status !== 401 && answer.status !== 403) return answer
    token = ''
    const login = await send('POST', '/api/admin/login', admin)
    if (login.status !== 200) throw new Error(`login: ${JSON.stringify(login.body)}`)
    token = login.body.token
    return send(method, path, body)
  }
  return {
    ...{ stage, call },
    close: async () => {
      api.app.leave()
      api.state.stop()
      await stage.close()
    },
  }
}
export type Desk = Awaited<ReturnType<typeof openDesk>>

/** What a transaction was for, as who sent it knows. */
type Purpose = 'payment' | 'refund' | 'none' | 'call' | 'other book'
type Sent = { from: Address; to: Address; data: Hex; purpose: Purpose }
/** A call that somebody has signed; it may come at any time. */
export type Signed = {
  debts: { debtor: Address; total: bigint; units: bigint }[]
  data: Hex
  validUntil: number
}

export type RefundWorld = Awaited<ReturnType<typeof openRefundWorld>>

/** A chain whose blocks can be replaced by others with the same transactions in another order. */
export async function openRefundWorld({ stage, call }: Desk) {
  const world = await openWorld(stage, 1)
  const { url, ask, accounts, db } = world
  const book = (await getBook(db)) as Hex
  const buyer = (index: number) => (accounts[index] as Address).toLowerCase() as Address
  const sent: Sent[] = []
  const purposes = new Map<Hash, Purpose>()
  /** States of the chain to go back to, with how much was sent by then. */
  let points: { id: string; count: number }[] = []

  async function send(one: Sent): Promise<void> {
    points.push({ id: await ask('evm_snapshot'), count: sent.length })
    await mined(one)
  }
  async function mined(one: Sent): Promise<void> {
    await world.pass(1)
    const hash = await world.submit(one.from, one.to, one.data)
    sent.push(one)
    purposes.set(hash, one.purpose)
    await world.mineBlock()
  }
  /** Each sender's transactions stay in their order. */
  async function rewind(depth: number): Promise<void> {
    const point = points.at(-1 - Math.min(depth, points.length - 1))
    if (!point) return
    const height = await heightOf(url)
    await revertTo(url, point.id)
    points = points.slice(0, points.indexOf(point))
    const bySender = [...Map.groupBy(sent.splice(point.count), ({ from }) => from).values()].reverse()
    for (const one of bySender.flat()) await mined(one)
    while ((await heightOf(url)) <= height) await mineOn()
  }
  async function mineOn(): Promise<void> {
    await world.pass(1)
    await world.mineBlock()
  }
  /** Everything so far is final, and read by workers of whom one may die at any await. */
  async function work(dieAt: number | null = null): Promise<void> {
    for (let block = 0; block < 3; block++) await mineOn()
    await scanOnce(world, dieAt)
    await runJob(world, { name: 'watch-refunds', payload: {} }, dieAt)
  }
  async function paidTo(debtor: Address): Promise<bigint> {
    const call = { to: register.address, data: encodePaid(book, usdt, debtor) }
    return BigInt(await ask<Hex>('eth_call', call, 'latest'))
  }

  /** What each buyer has paid in the sale, and what came back to him, by the logs of the chain alone. */
  async function sums(): Promise<Map<Address, { paidIn: bigint; received: bigint }>> {
    const logs = await transfersBetween(url, { fromBlock: world.firstBlock })
    const sum = (isIn: (log: (typeof logs)[0]) => boolean) =>
      logs.filter(isIn).reduce((total, { units }) => total + units, 0n)
    const isHis = (hash: Hash) => !['none', 'other book'].includes(`${purposes.get(hash)}`)
    return new Map(
      buyers.map(buyer).map((who) => [
        who,
        {
          paidIn: sum(({ from, to }) => from === who && to === operator),
          received: sum(({ to, hash }) => to === who && isHis(hash)),
        },
      ]),
    )
  }

  return {
    ...{ world, call, book, purposes, buyer, send, rewind, work, paidTo, sums },
    account: (index: number) => (index === 0 ? operator : (accounts[index] as Address)),
    /** So many seconds pass, and a block has that time. */
    pause: async (seconds: number) => {
      await world.pass(seconds)
      await mineOn()
    },
    /** What was so far is too old to be replaced. */
    forgetBlocks: () => {
      points = []
    },
    close: world.close,
  }
}
