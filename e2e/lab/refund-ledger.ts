import { sql } from 'drizzle-orm'
import { type Address, type Hash, keccak256, toHex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { unitsOf } from '../../core/money.ts'
import type { FoundPayment } from '../../core/payment/payment.ts'
import type { RefundKind } from '../../core/refund/rules.ts'
import { type Event, watchWallet } from '../../db/event/events.ts'
import { getScanCursor, type ScanCursor } from '../../db/event/scan-cursor.ts'
import { takeBack } from '../../db/payment/refold.ts'
import { applyBacklog } from '../../db/refund/backlog.ts'
import { writeBatch } from '../../db/refund/batch.ts'
import { flightKey, overdueFlights } from '../../db/refund/landing.ts'
import { listRefundRows } from '../../db/refund/list.ts'
import { offerRefunds } from '../../db/refund/offers.ts'
import type { OutgoingTransfer } from '../../db/refund/outgoing.ts'
import { noteSent } from '../../db/refund/reports.ts'
import { noteSeen } from '../../db/refund/seen.ts'
import { refundFacts } from '../../db/refund/totals.ts'
import { applyWatch, getWatchCursor, rewindWatch, type WatchCursor } from '../../db/refund/watch.ts'
import type { TestDb } from './database.ts'
import { blockEnd, foldTo, openEvent, operator, paid } from './ledger-story.ts'
import { transferData } from './usdt.ts'

type Sent = { to: Address; units: bigint; hash: Hash }
type Refold = {
  /** Blocks from this one on are read again. */
  from: number
  /** `reorg`: transactions stand in new blocks, transfers too. Otherwise everything stands where it stood. */
  isReorg?: boolean
  /** What the new branch makes of a payment; undefined: it is not on it. */
  change?: (payment: FoundPayment) => FoundPayment | undefined
}

/** Payments and refunds, recorded in the database as scan and watch do; one wallet, a block a step. */
export class RefundTrail {
  height = 0
  payments: FoundPayment[] = []
  transfers: OutgoingTransfer[] = []
  /** Signed, not mined. */
  pool: Sent[] = []
  isRefundMode = false
  /** Wallets of ours besides the operator's; they send nothing. */
  private others: Address[] = []
  private hashes = 0

  private constructor(
    readonly own: TestDb,
    readonly event: Event,
  ) {}

  static async open(own: TestDb): Promise<RefundTrail> {
    const trail = new RefundTrail(own, await openEvent(own.db))
    await watchWallet(own.db, operator)
    await foldTo(own.db, trail.event, ++trail.height)
    await trail.watch()
    return trail
  }

  get db() {
    return this.own.db
  }

  /** Another wallet becomes ours, and all that it may have sent has been read. */
  async watchToo(wallet: Address): Promise<void> {
    await watchWallet(this.db, wallet)
    // Ours since the sale began: what it was paid is the raffle's.
    await this.db.execute(sql`update operator_wallets set since = to_timestamp(0) where address = ${wallet}`)
    this.others.push(wallet)
    await this.watch()
    const { height } = (await getWatchCursor(this.db)) as WatchCursor
    const nothing = { transfers: [], entries: [] }
    await applyBacklog(this.db, { wallet, token: this.event.token }, height + 1n, nothing)
  }
  paidTo = (payer: Address): bigint =>
    [...this.transfers, ...this.pool.map(({ to, units }) => ({ recipient: to, units }))]
      .filter(({ recipient }) => recipient === payer)
      .reduce((sum, { units }) => sum + units, 0n)

  async pay(payer: Address, cents: number, wallet: Address = operator): Promise<FoundPayment> {
    const payment = paid(this.event, { block: ++this.height, cents, payer, wallet })
    this.payments.push(payment)
    await foldTo(this.db, this.event, this.height, [payment])
    return payment
  }

  /** A payment that was gone stands in a new block. */
  async fold(gone: FoundPayment): Promise<void> {
    const { blockNumber, blockHash, blockTime } = paid(this.event, { block: ++this.height, cents: 1 })
    const payment = { ...gone, blockNumber, blockHash, blockTime }
    this.payments.push(payment)
    await foldTo(this.db, this.event, this.height, [payment])
  }

  /** The sale has ended below its minimum. */
  async enterRefundMode(): Promise<void> {
    if (this.isRefundMode) return
    this.isRefundMode = true
    const end = new Date(this.event.saleStart.getTime() + ++this.height * 1000)
    await foldTo(this.db, this.event, this.height)
    await this.db.execute(sql`update events set refund_mode_at = now(), sale_end = ${end.toISOString()}::timestamptz,
      draw_date = now()`)
    await this.freeze()
  }

  /** Refuses as the desk does where there is nothing, or not yet. */
  async prepare(kind: RefundKind): Promise<string> {
    const scope = { kind, eventNumber: 1 } as const
    const { totalTickets, totalAmount } = await refundFacts(this.db, scope)
    const code = await this.db
      .transaction((tx) =>
        writeBatch(tx, { ...scope, expected: { totalTickets, totalAmount }, minUnits: 0n }),
      )
      .then(() => 'done', codeOf)
    await this.db.execute(sql`update refund_rows set checked_at = now() where checked_at is null`)
    return code
  }

  rows = async () => [
    ...(await listRefundRows(this.db, { kind: 'leftover', eventNumber: 1 })),
    ...(await listRefundRows(this.db, { kind: 'event', eventNumber: 1 })),
  ]

  /** Offers each row that may be sent and signs it; `isHeard`: the page could report the hash. */
  async offer({ isHeard = true, isHidden = false } = {}): Promise<Sent[]> {
    const signed: Sent[] = []
    for (const { row } of await this.rows()) {
      // As a node answers that has forgotten what waits: the desk must know by itself.
      const nonce = isHidden ? this.transfers.length : this.transfers.length + this.pool.length
      const offered = await this.db
        .transaction((tx) => offerRefunds(tx, { ids: [row.id], wallet: operator, nonce, transactions: 1 }))
        .catch((error) => {
          if (codeOf(error) === 'TX_PENDING') return []
          throw error
        })
      for (const { id, to, units } of offered) {
        const hash = keccak256(toHex(`refund ${this.event.saleStart.getTime()} ${++this.hashes}`))
        const sent = { to: to.toLowerCase() as Address, units: BigInt(units), hash }
        const signedNonce = this.transfers.length + this.pool.length
        this.pool.push(sent)
        signed.push(sent)
        if (!isHeard) continue
        await this.db.transaction((tx) => noteSent(tx, [id], hash))
        await noteSeen(this.db, {
          hash,
          from: operator,
          nonce: signedNonce,
          input: transferData(to, sent.units),
        })
      }
    }
    return signed
  }

  /** The operator sends something past the desk. */
  byHand(to: Address, cents: number): void {
    const hash = keccak256(toHex(`by hand ${this.event.saleStart.getTime()} ${++this.hashes}`))
    this.pool.push({ to, units: unitsOf(cents), hash })
  }

  /** A minute passes in which no page waits for its wallet. */
  async abandon(): Promise<void> {
    await this.db.execute(sql`update refund_rows set offered_at = offered_at - interval '2 minutes'`)
  }

  /** What was signed is mined and final. */
  async mine(): Promise<void> {
    this.height++
    this.transfers.push(...this.pool.map((sent) => this.toTransfer(sent, this.height)))
    this.pool = []
    await this.watch()
  }

  /** The ledger is refolded, as after a missed payment or a reorg below finality. */
  async refold({ from, isReorg = false, change = (payment) => payment }: Refold): Promise<void> {
    await this.takeBack(from)
    if (isReorg) await this.rewind(from)
    await this.foldAnew({ from, isReorg, change })
    await this.watch()
  }

  /** Only the first half: payments are gone and not yet found again. */
  async takeBack(from: number): Promise<void> {
    const cursor = (await getScanCursor(this.db)) as ScanCursor
    const { number, hash, timestamp } = blockEnd(this.event, from - 1)
    const to = { height: number, hash, blockTime: new Date(timestamp * 1000) }
    await takeBack(this.db, cursor, to, { text: `a payment of block ${from} had been missed`, isHole: true })
  }

  async foldAnew({ from, isReorg = false, change = (payment) => payment }: Refold): Promise<void> {
    const gone = this.payments.filter(({ blockNumber }) => blockNumber >= from)
    // The payments come back behind the transfers: the order of two wallets is not guaranteed.
    const found = gone.flatMap((payment) => {
      const changed = change(payment)
      if (!changed) return []
      const { blockNumber, blockHash, blockTime } = paid(this.event, {
        block: isReorg ? ++this.height : 0,
        cents: 1,
      })
      return isReorg ? { ...changed, blockNumber, blockHash, blockTime } : changed
    })
    this.payments = [...this.payments.filter(({ blockNumber }) => blockNumber < from), ...found]
    await foldTo(this.db, this.event, this.height, found)
    if (this.isRefundMode) await this.freeze()
  }

  /** The watch finds that the chain changed; the same transfers are mined in the very first new block. */
  async rewind(from: number): Promise<void> {
    const cursor = await getWatchCursor(this.db)
    const { number, hash } = blockEnd(this.event, from - 1)
    if (!cursor || cursor.height < from) return
    await rewindWatch(this.db, cursor, { height: number, hash })
    this.transfers = this.transfers.map((transfer) =>
      transfer.blockNumber < from
        ? transfer
        : { ...transfer, blockNumber: BigInt(from), blockHash: blockEnd(this.event, from).hash },
    )
  }

  /** Transfers whose blocks were replaced wait to be mined again. */
  unmine(): void {
    for (const { recipient, units, transactionHash } of this.transfers.splice(0))
      this.pool.push({ to: recipient, units, hash: transactionHash })
  }

  /** What the wallet has sent up to here; the whole final chain has been read. */
  async watch(): Promise<void> {
    const cursor = await getWatchCursor(this.db)
    const { number, hash, timestamp: time } = blockEnd(this.event, ++this.height)
    const transfers = this.transfers.filter(({ blockNumber }) => blockNumber > (cursor?.height ?? -1n))
    const final = {
      nonces: {
        ...Object.fromEntries(this.others.map((wallet) => [wallet, 0])),
        [operator]: this.transfers.length,
      },
      hashes: this.transfers.map(({ transactionHash }) => transactionHash),
      time,
    }
    const overdue = await overdueFlights(this.db, final)
    const readAgain = new Set(overdue.map(({ row }) => flightKey(row)))
    const found = { transfers, entries: [] }
    await applyWatch(this.db, cursor, { height: number, hash }, found, { ...final, readAgain })
  }

  private toTransfer = ({ to, units, hash }: Sent, block: number): OutgoingTransfer => {
    const { number, hash: blockHash, timestamp } = blockEnd(this.event, block)
    return {
      ...{ transactionHash: hash, logPosition: 0, wallet: operator, recipient: to, units },
      ...{ token: this.event.token, debtor: null },
      ...{ blockNumber: number, blockHash, blockTime: timestamp },
    }
  }
  private freeze = () =>
    this.db.execute(sql`update events set frozen_at = now(), ledger_sha256 = '0x', ledger_lines = 1`)
}

const codeOf = (error: unknown): string => {
  if (error instanceof RaffleError) return error.code
  throw error
}
