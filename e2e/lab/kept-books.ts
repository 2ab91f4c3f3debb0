import { sql } from 'drizzle-orm'
import { type Address, keccak256, toHex } from 'viem'
import type { FoundPayment } from '../../core/payment/payment.ts'
import { registerTotals } from '../../core/refund/totals.ts'
import { type Event, getOpenEvent, watchWallet } from '../../db/event/events.ts'
import { getScanCursor, type ScanCursor } from '../../db/event/scan-cursor.ts'
import type { Db } from '../../db/index.ts'
import { takeBack } from '../../db/payment/refold.ts'
import { loadAccounts } from '../../db/refund/accounts.ts'
import { writeBatch } from '../../db/refund/batch.ts'
import { flightKey, overdueFlights } from '../../db/refund/landing.ts'
import { loadFits } from '../../db/refund/memory.ts'
import type { Outgoing, OutgoingEntry, OutgoingTransfer } from '../../db/refund/outgoing.ts'
import { applyWatch, getWatchCursor, rewindWatch, type WatchCursor } from '../../db/refund/watch.ts'
import { type TestDb, testDb } from './database.ts'
import { blockEnd, foldTo, openEvent, operator, paid } from './ledger-story.ts'
import { withOtherPast } from './other-past.ts'

/** Wallets of ours besides the operator's. */
export const second: Address = `0x${'1f'.repeat(20)}`
export const third: Address = `0x${'3f'.repeat(20)}`
const ours = [operator, second, third] as const

type Sent = { payer: Address; wallet: Address; units: bigint; token?: Address; debtor?: Address }
type Remembered = { payer: Address; wallet: Address; total: bigint; isPaid: boolean }

/** What the chain holds, the register's memory with it, and a database that follows it; one thing happens in a block. */
export class KeptBooks {
  height = 1
  payments: FoundPayment[] = []
  transfers: OutgoingTransfer[] = []
  entries: OutgoingEntry[] = []
  private memory = new Map<string, bigint>()

  private constructor(
    readonly own: TestDb,
    readonly event: Event,
  ) {}

  /** Books in which nothing is written yet, of an event that began at `saleStart`. */
  static async open(saleStart?: Date): Promise<KeptBooks> {
    const own = await testDb()
    await openEvent(own.db)
    if (saleStart)
      await withOtherPast(own.db, (tx) =>
        tx.execute(sql`update events set sale_start = ${saleStart.toISOString()}`),
      )
    for (const wallet of ours) await watchWallet(own.db, wallet)
    await own.db.execute(sql`update operator_wallets set since = to_timestamp(0)`)
    const kept = new KeptBooks(own, (await getOpenEvent(own.db)) as Event)
    await foldTo(own.db, kept.event, 1)
    return kept
  }

  get db(): Db {
    return this.own.db
  }

  /** The same chain, read by a database that knows nothing else. */
  async rebuilt(): Promise<KeptBooks> {
    const anew = await KeptBooks.open(this.event.saleStart)
    anew.height = this.height
    anew.payments = [...this.payments]
    anew.transfers = [...this.transfers]
    anew.entries = [...this.entries]
    anew.memory = new Map(this.memory)
    await foldTo(anew.db, anew.event, anew.height, anew.payments)
    await anew.follow(anew.height, anew)
    await anew.prepare()
    return anew
  }

  /** One block, in which this happens, and all of it is read. */
  async block(act: () => void | Promise<void> = () => undefined): Promise<void> {
    const block = ++this.height
    const before = this.payments.length
    await act()
    await foldTo(this.db, this.event, block, this.payments.slice(before))
    await this.follow(block, this.sentFrom(block))
  }

  pay(payer: Address, wallet: Address, cents: number): void {
    this.payments.push(paid(this.event, { block: this.height, cents, payer, wallet }))
  }
  send({ payer: recipient, wallet, units, token = this.event.token, debtor }: Sent): void {
    this.transfers.push({ ...this.place(), wallet, token, recipient, units, debtor: debtor ?? null })
  }
  /** A call of the register: it pays, or remembers as waived, what the total is more than it remembers. */
  remember({ payer, wallet, total, isPaid }: Remembered): void {
    const key = `${wallet} ${payer}`
    const before = this.memory.get(key) ?? 0n
    if (total <= before) return
    this.memory.set(key, total)
    const units = total - before
    if (isPaid) this.send({ payer, wallet, units, debtor: payer })
    const kind = isPaid ? ('paid' as const) : ('waived' as const)
    const place = { ...this.place(), wallet, token: this.event.token, debtor: payer, total }
    this.entries.push({ ...place, kind, payee: isPaid ? payer : null, units: isPaid ? units : null })
  }
  private place() {
    const { number, hash, timestamp } = blockEnd(this.event, this.height)
    const transactionHash = keccak256(toHex(`sent ${this.event.saleStart.getTime()} ${this.height}`))
    return { transactionHash, logPosition: 0, blockNumber: number, blockHash: hash, blockTime: timestamp }
  }
  private sentFrom = (from: number): Outgoing => ({
    transfers: this.transfers.filter(({ blockNumber }) => blockNumber >= from),
    entries: this.entries.filter(({ blockNumber }) => blockNumber >= from),
  })

  async prepare(): Promise<void> {
    await this.db
      .transaction((tx) => writeBatch(tx, { kind: 'leftover', eventNumber: 1, minUnits: 0n }))
      .catch((error) => {
        if (error.code !== 'NOTHING_TO_REFUND') throw error
      })
  }
  /** Blocks from here on are folded anew, as after a missed payment. */
  async refold(from: number): Promise<void> {
    const cursor = (await getScanCursor(this.db)) as ScanCursor
    const { number, hash, timestamp } = blockEnd(this.event, from - 1)
    const to = { height: number, hash, blockTime: new Date(timestamp * 1000) }
    await takeBack(this.db, cursor, to, { text: 'a payment had been missed', isHole: true })
    const found = this.payments.filter(({ blockNumber }) => blockNumber >= from)
    await foldTo(this.db, this.event, this.height, found)
  }
  /** What was sent from here on is taken back and read again. */
  async rewind(from: number): Promise<void> {
    const { number, hash } = blockEnd(this.event, from - 1)
    await rewindWatch(this.db, (await getWatchCursor(this.db)) as WatchCursor, { height: number, hash })
    await this.follow(this.height, this.sentFrom(from))
  }
  /** The chain was read to its end just now, and again for requests that are over, so that wallets may be offered something. */
  async follow(block: number, found: Outgoing): Promise<void> {
    const { number: height, hash, timestamp: time } = blockEnd(this.event, block)
    const end = { height, hash }
    const hashes = this.transfers
      .filter(({ blockNumber }) => blockNumber <= height)
      .map(({ transactionHash }) => transactionHash)
    const final = { nonces: Object.fromEntries(ours.map((wallet) => [wallet, 0])), hashes, time }
    await applyWatch(this.db, await getWatchCursor(this.db), end, found, final)
    const readAgain = new Set((await overdueFlights(this.db, final)).map(({ row }) => flightKey(row)))
    if (readAgain.size > 0)
      await applyWatch(this.db, end, end, { transfers: [], entries: [] }, { ...final, readAgain })
  }

  /** What these payers are owed, by the books, beside what the register remembers. */
  async books(payers: readonly Address[]) {
    const read = await loadAccounts(this.db, payers)
    const fits = await loadFits(this.db, read)
    return { ...read, fits, totals: registerTotals(read.rows, read.accounts) }
  }
}
