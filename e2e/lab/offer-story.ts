import { sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash, keccak256, toHex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { releaseRow } from '../../db/refund/decisions.ts'
import { flightKey, overdueFlights } from '../../db/refund/landing.ts'
import { offerByRegister } from '../../db/refund/offer-register.ts'
import { offerRefunds } from '../../db/refund/offers.ts'
import type { OutgoingEntry, OutgoingTransfer } from '../../db/refund/outgoing.ts'
import { noteRejected, noteSent } from '../../db/refund/reports.ts'
import { listWaivable } from '../../db/refund/waivable.ts'
import { loseWallet } from '../../db/refund/wallets.ts'
import { applyWatch, getWatchCursor } from '../../db/refund/watch.ts'
import type { TestDb } from './database.ts'
import { alice, blockEnd, bob, operator } from './ledger-story.ts'
import { RefundTrail } from './refund-ledger.ts'
import type { Debt } from './register.ts'
import { RegisterModel } from './register-model.ts'

export const actions = [
  ...['pay', 'pay', 'call', 'call', 'call', 'single', 'single', 'sign', 'sign', 'sign', 'sign', 'reject'],
  ...['watch', 'watch', 'expire', 'burn', 'abandon', 'waive', 'lose'],
] as const
/** `a` and `b` pick from what exists at that moment. */
export type Step = { do: (typeof actions)[number]; a: number; b: number }

const second: Address = `0x${'2f'.repeat(20)}`
const wallets = [operator, second] as const
/** Pays in the end what one of these has waived and the other, which took it over, has lost the key for. */
const last: Address = `0x${'3f'.repeat(20)}`
const all = [...wallets, last] as const
const payers = [alice, bob] as const

type Request = { wallet: Address; nonce: number; ids: number[] }
type Claims = { id: number; revision: number }[]
/** What a wallet was asked and may still send; a call of the register as often as it likes. */
type Ask = { wallet: Address; claims: Claims; isSigned: boolean } & (
  | { path: 'register'; debts: Debt[]; validUntil: number }
  | { path: 'transfers'; to: Address; units: bigint; nonce: number }
)

/** Two wallets that are offered refunds on both paths, and a chain beside the database that says what they have paid. */
export class OfferStory {
  private register = new RegisterModel()
  private nonces = new Map<Address, number>(all.map((wallet) => [wallet, 0]))
  private watched = new Map<Address, number>(this.nonces)
  private asks: Ask[] = []
  private found: { transfers: OutgoingTransfer[]; entries: OutgoingEntry[] } = { transfers: [], entries: [] }
  /** Every transaction; they are final when the watch has read them. */
  private mined: Hash[] = []
  /** By how much the chain's time has run ahead. */
  private ahead = 0
  readonly owed = new Map<Address, bigint>()
  readonly paid = new Map<Address, bigint>()

  private constructor(readonly trail: RefundTrail) {}

  static async open(own: TestDb): Promise<OfferStory> {
    const trail = await RefundTrail.open(own)
    for (const wallet of [second, last]) await trail.watchToo(wallet)
    const story = new OfferStory(trail)
    for (const wallet of all)
      story.register.play({ do: 'approve', wallet, token: trail.event.token, units: 10n ** 30n }, 0n)
    return story
  }

  async run({ do: action, a, b }: Step): Promise<void> {
    await this[action](a, b).catch(unlessRefused)
    this.check()
  }

  /** Nobody has been paid, and nobody could still be paid by what is out, more than he is owed. */
  check(): void {
    for (const payer of payers) {
      const most = (this.paid.get(payer) ?? 0n) + this.mostFor(payer)
      if (most > (this.owed.get(payer) ?? 0n))
        throw new Error(`${payer} may get ${most} of ${this.owed.get(payer) ?? 0n}`)
    }
  }

  async pay(a: number, b: number): Promise<void> {
    const payer = payers[a % 2] as Address
    const { units } = await this.trail.pay(payer, 10 + b, wallets[Math.floor(a / 2) % 2])
    this.owed.set(payer, (this.owed.get(payer) ?? 0n) + units)
    await this.trail.prepare('leftover')
  }

  /** A call of the register for some rows. */
  async call(a: number, b: number): Promise<void> {
    await this.askCall(await this.request(a, b))
  }
  private async askCall(request: Request): Promise<void> {
    const { rows, register } = await this.trail.db.transaction((tx) =>
      offerByRegister(tx, { ...request, transactions: 2, validFor: 3_600 }),
    )
    if (!register) return
    const debts = register.debtors.map(({ debtor, payee, total }) => ({
      debtor,
      payee,
      total: BigInt(total),
    }))
    const { wallet } = request
    this.asks.push({
      ...{ path: 'register', wallet, debts, validUntil: register.validUntil },
      ...{ claims: claimsOf(rows), isSigned: false },
    })
  }

  /** One row as a transfer, with the nonce that the page names. */
  async single(a: number, b: number): Promise<void> {
    await this.askSingle(await this.request(a, b))
  }
  private async askSingle(request: Request): Promise<void> {
    const ids = request.ids.slice(0, 1)
    const [row] = await this.trail.db.transaction((tx) =>
      offerRefunds(tx, { ...request, ids, transactions: 1 }),
    )
    if (!row) return
    const { wallet, nonce } = request
    this.asks.push({
      ...{ path: 'transfers', wallet, nonce, to: row.to.toLowerCase() as Address, units: BigInt(row.units) },
      ...{ claims: claimsOf([row]), isSigned: false },
    })
  }

  async sign(a: number, b: number): Promise<void> {
    const ask = this.asks[a % Math.max(1, this.asks.length)]
    if (!ask) return
    ask.isSigned = true
    const hash = ask.path === 'register' ? this.mineCall(ask) : this.mineTransfer(ask)
    const ids = ask.claims.map(({ id }) => id)
    if (hash && b % 2) await this.trail.db.transaction((tx) => noteSent(tx, ids, hash))
  }

  async reject(a: number): Promise<void> {
    const open = this.asks.filter(({ isSigned }) => !isSigned)
    const ask = open[a % Math.max(1, open.length)]
    if (!ask) return
    this.asks = this.asks.filter((one) => one !== ask)
    await this.trail.db.transaction((tx) => noteRejected(tx, ask.claims))
  }

  /** Everything so far is final and has been read. */
  async watch(): Promise<void> {
    const { db, event } = this.trail
    const cursor = await getWatchCursor(db)
    const { number, hash } = blockEnd(event, ++this.trail.height)
    const found = this.found
    this.found = { transfers: [], entries: [] }
    this.watched = new Map(this.nonces)
    const final = { nonces: Object.fromEntries(this.nonces), hashes: this.mined, time: this.time() }
    const overdue = await overdueFlights(db, final)
    const readAgain = new Set(overdue.map(({ row }) => flightKey(row)))
    await applyWatch(db, cursor, { height: number, hash }, found, { ...final, readAgain })
  }

  /** Time passes on chain: calls that were signed before can be mined no more. */
  async expire(): Promise<void> {
    this.ahead += 4_000
    const time = this.time()
    await this.trail.db.execute(sql`update scan_cursor set newest_block_time = to_timestamp(${time})`)
    this.asks = this.asks.filter((ask) => ask.path === 'transfers' || ask.validUntil >= time)
  }

  /** A wallet sends other things: what carries a lower nonce can be mined no more. */
  async burn(a: number): Promise<void> {
    this.burnOf(wallets[a % 2] as Address)
  }
  private burnOf(wallet: Address): void {
    const nonce = (this.nonces.get(wallet) ?? 0) + 200
    this.nonces.set(wallet, nonce)
    this.asks = this.asks.filter(
      (ask) => ask.path === 'register' || ask.wallet !== wallet || ask.nonce >= nonce,
    )
  }

  abandon = (): Promise<void> => this.trail.abandon()

  /** All that the wallet owes, as the desk names it. */
  async waive(a: number): Promise<void> {
    const wallet = wallets[a % 2] as Address
    for (const { token, debtors } of await listWaivable(this.trail.db, wallet)) {
      const debts = debtors.map(({ debtor, total }) => ({ debtor, total: BigInt(total) }))
      const asked = { wallet, token: lower(token), debts, validUntil: 0n }
      this.note(wallet, this.register.play({ do: 'waive', ...asked }, BigInt(this.time())).logs)
    }
  }

  lose = async (a: number): Promise<void> => {
    if (a % 8 === 0) await this.trail.db.transaction((tx) => loseWallet(tx, operator))
  }

  /** Nothing that was asked can be mined any more; then everybody is paid what is left, on both paths. */
  async finish(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      await this.expire()
      for (const wallet of all) this.burnOf(wallet)
      await this.abandon()
      await this.watch()
      // Of what came to a wallet whose key is lost somebody has decided that it goes back.
      for (const { row, stored } of await this.trail.rows())
        if (stored.hold === 'lost') await this.trail.db.transaction((tx) => releaseRow(tx, row.id))
      const ids = (await this.trail.rows()).flatMap(({ row }) => (row.state === 'settled' ? [] : row.id))
      if (ids.length === 0) return
      for (const wallet of all) {
        const now = () => ({ wallet, nonce: this.nonces.get(wallet) ?? 0 })
        await this.askCall({ ...now(), ids }).catch(unlessRefused)
        await this.signAll()
        for (const id of ids) {
          await this.askSingle({ ...now(), ids: [id] }).catch(unlessRefused)
          await this.signAll()
        }
      }
    }
  }

  private async signAll(): Promise<void> {
    this.check()
    for (const at of [...this.asks.keys()].reverse()) await this.sign(at, 1)
    this.check()
    await this.watch()
  }

  /** The most that all that is out could pay to somebody: calls of one wallet do not add up. */
  private mostFor(payer: Address): bigint {
    let most = 0n
    for (const wallet of all) {
      const remembered = this.register.paid(wallet, this.trail.event.token, getAddress(payer))
      const totals = this.asks.flatMap((ask) =>
        ask.path === 'register' && ask.wallet === wallet
          ? ask.debts.flatMap(({ debtor, total }) => (lower(debtor) === payer ? total : []))
          : [],
      )
      let highest = remembered
      for (const total of totals) if (total > highest) highest = total
      most += highest - remembered
    }
    const nonceOf = (wallet: Address) => this.nonces.get(wallet) ?? 0
    for (const ask of this.asks)
      if (ask.path === 'transfers' && ask.to === payer && ask.nonce >= nonceOf(ask.wallet)) most += ask.units
    return most
  }

  private async request(a: number, b: number): Promise<Request> {
    const wallet = wallets[a % 2] as Address
    const rows = (await this.trail.rows()).map(({ row }) => row.id)
    const turn = b % Math.max(1, rows.length)
    const nonce = (b % 3 ? this.nonces : this.watched).get(wallet) ?? 0
    return { wallet, nonce, ids: [...rows.slice(turn), ...rows.slice(0, turn)].slice(0, 1 + (b % 4)) }
  }

  private mineCall(ask: Extract<Ask, { path: 'register' }>): Hash | undefined {
    const { wallet, debts, validUntil } = ask
    const asked = { wallet, token: this.trail.event.token, debts, validUntil: BigInt(validUntil) }
    const { ok, logs } = this.register.play({ do: 'pay', ...asked }, BigInt(this.time()))
    return ok ? this.note(wallet, logs) : undefined
  }

  private mineTransfer(ask: Extract<Ask, { path: 'transfers' }>): Hash | undefined {
    this.asks = this.asks.filter((one) => one !== ask)
    if (this.nonces.get(ask.wallet) !== ask.nonce) return undefined
    const place = this.place(ask.wallet)
    this.found.transfers.push({ ...place, recipient: ask.to, units: ask.units, debtor: null })
    this.paid.set(ask.to, (this.paid.get(ask.to) ?? 0n) + ask.units)
    return place.transactionHash
  }

  /** A transaction of the register in a block of its own. */
  private note(wallet: Address, logs: readonly Record<string, unknown>[]): Hash {
    const place = this.place(wallet)
    for (const log of logs.filter(({ event }) => event === 'Paid' || event === 'Waived')) {
      const debtor = lower(log.debtor as Address)
      const total = log.total as bigint
      const logPosition = this.found.entries.filter(
        ({ transactionHash }) => transactionHash === place.transactionHash,
      ).length
      if (log.event === 'Waived') {
        this.found.entries.push({
          ...place,
          logPosition,
          kind: 'waived',
          debtor,
          payee: null,
          units: null,
          total,
        })
        continue
      }
      const [units, payee] = [log.amount as bigint, lower(log.payee as Address)]
      this.found.entries.push({ ...place, logPosition, kind: 'paid', debtor, payee, units, total })
      this.found.transfers.push({ ...place, logPosition, recipient: payee, units, debtor })
      this.paid.set(debtor, (this.paid.get(debtor) ?? 0n) + units)
    }
    return place.transactionHash
  }

  private place(wallet: Address) {
    this.nonces.set(wallet, (this.nonces.get(wallet) ?? 0) + 1)
    const { number, hash, timestamp } = blockEnd(this.trail.event, ++this.trail.height)
    const transactionHash = keccak256(toHex(`offer story ${this.mined.length}`))
    this.mined.push(transactionHash)
    return {
      transactionHash,
      ...{ logPosition: 0, wallet, token: this.trail.event.token },
      ...{ blockNumber: number, blockHash: hash, blockTime: timestamp },
    }
  }

  private time = (): number => blockEnd(this.trail.event, this.trail.height).timestamp + this.ahead
}

const lower = (address: Address): Address => address.toLowerCase() as Address
const claimsOf = (rows: readonly { id: number; revision: number }[]): Claims =>
  rows.map(({ id, revision }) => ({ id, revision }))

/** A request to wait, or a wallet that is offered nothing, is a valid answer. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof RaffleError && ['TX_PENDING', 'INVALID_VALUE'].includes(error.code))) throw error
}
