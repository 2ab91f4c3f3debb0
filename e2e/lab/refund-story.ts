import { sql } from 'drizzle-orm'
import pino from 'pino'
import { type Address, keccak256, pad, toHex } from 'viem'
import { expect } from 'vitest'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../../db/index.ts'
import { writeBatch } from '../../db/refund/batch.ts'
import { listRefundRows } from '../../db/refund/list.ts'
import { offerRefunds } from '../../db/refund/offers.ts'
import { keepOffers, noteRejected, noteSent } from '../../db/refund/reports.ts'
import type { Deps } from '../../worker/deps.ts'
import { prepareRefunds } from '../../worker/refund/prepare.ts'
import { watchRefunds } from '../../worker/refund/watch.ts'
import { Killed, killedAt } from './killed.ts'
import { operator } from './ledger-story.ts'
import { ModelChain, type ModelTransaction, Refused } from './model-chain.ts'

/** `a` and `b` pick from what exists at that moment. */
export type Step = { do: (typeof actions)[number]; a: number; b: number }
export const actions = [
  ...['offer', 'offer', 'offer', 'batch', 'sign', 'sign', 'sign', 'sign', 'lose', 'lose', 'reject', 'mute'],
  ...['reload', 'speedUp', 'cancel', 'drop', 'rebroadcast', 'hand', 'mine', 'mine', 'mine', 'reorg'],
  ...['watch', 'watch', 'watch', 'kill', 'prepare', 'abandon'],
] as const

type Claim = { id: number; revision: number; to: Address; units: bigint }
/** What a wallet shows and waits to be answered. With a fixed nonce it outlives the page that asked. */
type Popup = { rows: Claim[]; nonce: number | undefined; page: number; isAlive: boolean }

const scope = { kind: 'event', eventNumber: 1 } as const
const minUnits = 1n
export const payerOf = (index: number): Address => pad(toHex(index + 1), { size: 20 })

/** One seed's story: two administrators with a page each, one wallet, a chain, and jobs that are killed. */
export class RefundStory {
  chain = new ModelChain(operator)
  popups: Popup[] = []
  deps: Deps

  constructor(
    readonly db: Db,
    readonly owed: ReadonlyMap<Address, bigint>,
  ) {
    this.deps = { db, chain: this.chain.asChain(), log: pino({ level: 'silent' }) }
  }

  /** Everything before the first step: payments as the scan records them, refund mode, a batch. */
  async begin(payments: readonly { payer: Address; units: bigint }[]): Promise<void> {
    for (const table of [
      ...['operator_transfers', 'refund_row_payments', 'refund_rows', 'refund_batches'],
      ...['refund_watch', 'payments'],
    ])
      await this.db.execute(sql.raw(`delete from ${table}`))
    for (const [index, { payer, units }] of payments.entries())
      await this.db.execute(sql`insert into payments (transaction_hash, payer, wallet, event_number, units, block_number,
        block_hash, block_time, transaction_index, first_log_index, status, reason, ticket_count)
        values (${keccak256(toHex(`paid ${index}`))}, ${payer}, ${operator}, 1, ${units.toString()}, 0, '0x',
        now(), ${index}, 0, 'rejected', 'underpaid', 0)`)
    await this.prepare()
    await prepareRefunds({ ...this.deps, refundMinUnits: minUnits }, {})
    await watchRefunds(this.deps)
  }

  async run({ do: action, a, b }: Step): Promise<void> {
    await this[action](a, b).catch((error: unknown) => {
      // A request to wait is a valid answer; what was written must still hold.
      if (!(error instanceof RaffleError && ['TX_PENDING', 'RPC_UNAVAILABLE'].includes(error.code)))
        throw error
    })
    this.check()
  }

  /** I15: nobody has got more than was paid in, counted from the blocks. */
  check(): void {
    for (const [to, units] of this.chain.paidOut()) expect(units <= (this.owed.get(to) ?? 0n)).toBe(true)
  }

  /** Both administrators give up what they began; then one of them finishes calmly. */
  async finish(): Promise<void> {
    this.popups = []
    for (let round = 0; round < 60; round++) {
      await this.abandon()
      this.chain.mine(3)
      await watchRefunds(this.deps)
      const rows = await this.rows()
      if (rows.every(({ row }) => row.state === 'settled')) break
      await this.batch(0, round).catch(() => undefined)
      for (const popup of [...this.popups]) await this.answer(popup, { isHeard: true })
      if (this.popups.length === 0) this.tryToSend(() => this.chain.send([]))
      this.popups = []
      this.check()
    }
    expect((await this.rows()).map(({ row }) => row.state)).toEqual((await this.rows()).map(() => 'settled'))
    expect(this.chain.paidOut()).toEqual(this.owed)
  }

  rows = () => listRefundRows(this.db, scope)
  prepare = () => this.db.transaction((tx) => writeBatch(tx, { ...scope, minUnits }))

  /** One row with the nonce from the page's node, which may lag behind. */
  async offer(a: number, b: number): Promise<void> {
    const rows = await this.rows()
    const nonce = Math.max(0, this.chain.pendingNonce - (b % 3 === 0 ? 1 : 0))
    const id = rows[a % rows.length]?.row.id
    if (id !== undefined) await this.open([id], { nonce, fixed: true, page: b % 2 })
  }
  /** Several rows at once, in one transaction to which the wallet gives the number. */
  async batch(a: number, b: number): Promise<void> {
    const rows = await this.rows()
    const ids = rows.map(({ row }) => row.id).slice(a % rows.length)
    await this.open(ids, { nonce: this.chain.pendingNonce, fixed: false, page: b % 2 })
  }
  private async open(ids: number[], { nonce, fixed, page }: { nonce: number; fixed: boolean; page: number }) {
    const offered = await this.db.transaction((tx) =>
      offerRefunds(tx, { ids, nonce, wallet: operator, transactions: ids.length }),
    )
    if (offered.length === 0) return
    const rows = offered.map((row) => ({
      ...{ id: row.id, revision: row.revision },
      ...{ to: row.to.toLowerCase() as Address, units: BigInt(row.units) },
    }))
    this.popups.push({ rows, nonce: fixed ? nonce : undefined, page, isAlive: true })
  }

  private popup = (a: number): Popup | undefined => this.popups[a % Math.max(1, this.popups.length)]
  sign = (a: number) => this.answer(this.popup(a), { isHeard: true })
  /** Signed, but the page never hears of it. */
  lose = (a: number) => this.answer(this.popup(a), { isHeard: false })
  private async answer(popup: Popup | undefined, { isHeard }: { isHeard: boolean }): Promise<void> {
    if (!popup) return
    const before = this.popups
    this.popups = this.popups.filter((one) => one !== popup)
    const hash = this.tryToSend(() => this.chain.send(popup.rows, popup.nonce === undefined ? {} : popup))
    await this.keep(before.filter((one) => one !== popup))
    if (!hash || !isHeard || !popup.isAlive) return
    const ids = popup.rows.map((row) => row.id)
    await this.db.transaction((tx) => noteSent(tx, ids, hash))
  }
  async reject(a: number): Promise<void> {
    const popup = this.popup(a)
    this.popups = this.popups.filter((one) => one !== popup)
    if (popup?.isAlive) await this.db.transaction((tx) => noteRejected(tx, popup.rows))
  }
  /** Rejected, and the page cannot say so. */
  async mute(a: number): Promise<void> {
    const popup = this.popup(a)
    this.popups = this.popups.filter((one) => one !== popup)
  }
  /** A request with a fixed nonce may still be signed later. */
  async reload(_: number, b: number): Promise<void> {
    this.popups = this.popups.filter((one) => one.page !== b % 2 || one.nonce !== undefined)
    for (const popup of this.popups) if (popup.page === b % 2) popup.isAlive = false
  }

  async speedUp(a: number): Promise<void> {
    const waiting = this.chain.pool[a % Math.max(1, this.chain.pool.length)]
    if (waiting) this.tryToSend(() => this.chain.send(waiting.transfers, bumped(waiting)))
  }
  async cancel(a: number): Promise<void> {
    const waiting = this.chain.pool[a % Math.max(1, this.chain.pool.length)]
    if (waiting) this.tryToSend(() => this.chain.send([], bumped(waiting)))
  }
  drop = async (a: number) => this.chain.drop(a)
  /**
   * What was sent by hand and every node has forgotten, nobody can see; and a batch gets its number from the wallet
   * alone. So that it comes back just while a batch waits to be signed is the one thing no desk can prevent: the
   * screen asks not to send by hand meanwhile.
   */
  rebroadcast = async (a: number) => {
    const isBatchOpen = this.popups.some(({ nonce }) => nonce === undefined)
    this.chain.rebroadcast(a, ({ isByHand }) => !(isByHand && isBatchOpen))
  }
  reorg = async (a: number) => this.chain.reorg(1 + (a % 2))
  mine = async (a: number) => this.chain.mine(1 + (a % 3))

  /**
   * The operator pays somebody by hand, as the desk shows it: what is due, while nothing of that payer is under
   * way. The wallet has come to rest: what waits behind a lost transaction is hidden from every node.
   */
  async hand(a: number, b: number): Promise<void> {
    const rows = (await this.rows()).filter(({ stored }) => stored.offeredAt === null)
    const chosen = rows[a % Math.max(1, rows.length)]
    const due = BigInt(chosen?.toSend.units ?? 0)
    if (!chosen || due === 0n || chosen.stored.state === 'settled' || !this.chain.isQuiet) return
    // He waits until what he sees is what the chain says.
    await watchRefunds(this.deps)
    const now = (await this.rows()).find(({ row }) => row.id === chosen.row.id)
    if (now?.stored.offeredAt || BigInt(now?.toSend.units ?? 0) !== due) return
    const units = b % 2 === 0 ? due : due / 2n + 1n
    this.tryToSend(() => this.chain.send([{ to: chosen.stored.recipient, units }], { isByHand: true }))
    await this.keep(this.popups)
  }

  watch = () => watchRefunds(this.deps)
  async kill(a: number): Promise<void> {
    await watchRefunds(killedAt(this.deps, a % 12)).catch((error) => {
      if (!(error instanceof Killed)) throw error
    })
  }
  /** A minute passes: pages that wait for their wallet say so, all others are taken for gone. */
  async abandon(): Promise<void> {
    await this.db.execute(sql`update refund_rows set offered_at = offered_at - interval '2 minutes'`)
    await this.keep(this.popups)
  }
  private async keep(popups: readonly Popup[]): Promise<void> {
    for (const { rows, isAlive } of popups)
      if (isAlive) await this.db.transaction((tx) => keepOffers(tx, { rows, nonce: this.chain.pendingNonce }))
  }

  private tryToSend<T>(send: () => T): T | undefined {
    try {
      return send()
    } catch (error) {
      if (error instanceof Refused) return undefined
      throw error
    }
  }
}

const bumped = ({ nonce, price, isByHand }: ModelTransaction) => ({ nonce, price: price + 1, isByHand })
