/** Random stories of refunds on a model of the contract; the view of the database is the code under test. `STORIES` says how many. */
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { type Address, type Hash, keccak256, numberToHex, pad, toHex } from 'viem'
import { afterAll, expect, inject, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { openEvent, operator } from '../../e2e/lab/ledger-story.ts'
import type { Db } from '../index.ts'
import { rewindOutgoing } from '../payment/rewind.ts'
import { payableLines } from './dues.ts'
import * as facts from './facts.ts'

const [storiesAtOnce, payersOfEach, ticks] = [100, 3, 30]
const worlds = Math.ceil(Number(process.env.STORIES ?? 100) / storiesAtOnce)
const { db, close } = await testDb()
afterAll(close)
const token: Address = (await openEvent(db)).token

type Log = {
  id: number
  kind: 'in' | 'hand' | 'paid'
  payer: Address
  wallet: Address
  event: number
  units: bigint
  /** Of the register: what it remembers then. */
  total: bigint
  isTicket: boolean
  isRefund: boolean
  block: number
}
/** Signed once, sent whenever somebody likes until its last block. */
type Call = { totals: Map<Address, bigint>; until: number }
const tables = ['payments', 'endings', 'outgoing_transfers', 'register_payments', 'transfer_marks']
const kept = [...tables, 'outgoing_cursor', 'payer_codes']

/** A chain whose last blocks may be replaced, a database that lags behind it, and people who pay, send and sign. */
class World {
  head = 1
  logs: Log[] = []
  calls: Call[] = []
  /** Up to where the database has read, and how often each block was replaced. */
  read = 0
  readonly forks: number[] = []
  readonly ends = new Map<number, number>()
  backup: { read: number; said: Set<number>; rows: Record<string, unknown> } | undefined
  private said = new Set<number>()
  /** After a restore, until a worker has read. */
  private isShut = false
  /** Payers of payments that are gone and that no worker has missed yet: the desk asks the wallet's own node for them. */
  private readonly doubted = new Set<Address>()
  private count = 0

  constructor(
    readonly tx: Db,
    readonly chance: (below: number) => number,
  ) {}

  readonly hashOf = (block: number): Hash => keccak256(toHex(`${block} ${this.forks[block] ?? 0}`))
  readonly place = (block: number) => ({
    ...{ blockNumber: BigInt(block), blockHash: this.hashOf(block), blockTime: new Date(block * 1000) },
    transactionIndex: 0,
  })
  readonly of = (payer: Address, ...kinds: Log['kind'][]) =>
    this.logs.filter((log) => log.payer === payer && kinds.includes(log.kind))

  add(kind: Log['kind'], payer: Address, units: bigint, more: Partial<Log> = {}): void {
    const rest = { wallet: operator, event: 0, total: 0n, isTicket: false, isRefund: kind === 'paid' }
    this.logs.push({ id: ++this.count, kind, payer, units, block: this.head, ...rest, ...more })
  }

  /** What the register remembers is what its logs say. */
  remembered = (payer: Address) => sum(this.of(payer, 'paid'))
  received = (payer: Address) => sum(this.of(payer, 'paid', 'hand').filter(({ isRefund }) => isRefund))
  /** By the chain alone: money with tickets only of events that ended in refunds. */
  owed = (payer: Address) =>
    sum(this.of(payer, 'in').filter(({ isTicket, event }) => !isTicket || this.ends.has(event)))
  isCalled = (payer: Address) =>
    this.calls.some(({ totals, until }) => until >= this.head && totals.has(payer))

  /** The contract. */
  send({ totals, until }: Call, wallet: Address): void {
    if (this.head > until) return
    for (const [payer, total] of totals) {
      const units = total - this.remembered(payer)
      if (payer === wallet || units <= 0n) continue
      this.add('paid', payer, units, { wallet, total })
      expect(this.received(payer)).toBeLessThanOrEqual(sum(this.of(payer, 'in')))
    }
  }

  /** What the desk would hand out; it is shut for whom something was sent by hand that is not read. */
  async list(): Promise<Call> {
    const { lines } = this.isShut ? { lines: [] } : await payableLines(this.tx, { minUnits: 1n })
    const unread = new Set(
      this.logs.filter((log) => log.kind === 'hand' && log.block > this.read).map((log) => log.payer),
    )
    const listed = lines.filter(({ payer }) => !unread.has(payer) && !this.doubted.has(payer))
    return { totals: new Map(listed.map(({ payer, total }) => [payer, total])), until: this.head + 8 }
  }

  /** Blocks from `from` on are replaced: payments come again later, and so does what was sent, or it never was. */
  replace(from: number): void {
    for (let block = from; block <= this.head; block++) this.forks[block] = (this.forks[block] ?? 0) + 1
    const gone = this.logs.filter((log) => log.block >= from)
    this.logs = this.logs.filter((log) => log.block < from)
    this.head += 1
    for (const log of gone) {
      const isLost = log.kind === 'in' ? this.isLost(log, gone) : this.chance(3) === 0
      if (isLost && log.kind === 'in') this.doubted.add(log.payer)
      if (isLost) continue
      if (log.kind === 'paid')
        this.send({ totals: new Map([[log.payer, log.total]]), until: this.head }, log.wallet)
      else this.logs.push({ ...log, block: this.head })
    }
  }

  /** A payment whose money nobody has begun to send back. */
  private isLost = ({ payer }: Log, gone: readonly Log[]) =>
    this.chance(3) === 0 &&
    ![...this.logs, ...gone].some((log) => log.payer === payer && log.kind !== 'in') &&
    !this.isCalled(payer)

  /** As the workers: back to what is still canonical, on to `wanted` but never back without cause, then codes. */
  async sync(wanted: number): Promise<void> {
    const { tx } = this
    const blocks = await tx.execute<{ number: string; hash: Hash }>(
      sql`select distinct block_number as number, block_hash as hash from payments`,
    )
    const replaced = blocks
      .filter(({ number, hash }) => this.hashOf(Number(number)) !== hash)
      .map(({ number }) => Number(number))
    await tx.execute(sql`delete from payments where block_number >= ${Math.min(...replaced, 1_000_000)}`)
    const cursor = await facts.getOutgoingCursor(tx)
    if (cursor && this.hashOf(Number(cursor.height)) !== cursor.hash) {
      const known = await tx.execute<{ number: string; hash: Hash }>(sql`
        select block_number as number, block_hash as hash from outgoing_transfers union
        select block_number, block_hash from register_payments order by number desc`)
      const good = known.find(({ number, hash }) => this.hashOf(Number(number)) === hash)
      await rewindOutgoing(
        tx,
        good && { height: BigInt(good.number), hash: good.hash, blockTime: cursor.blockTime },
      )
    }
    const before = await facts.getOutgoingCursor(tx)
    const to = Math.max(wanted, Number(before?.height ?? 0))
    const found = this.logs.filter(({ block }) => block <= to)
    await this.recordPayments(found.filter(({ kind }) => kind === 'in'))
    for (const [event, block] of this.ends)
      if (block <= to)
        await tx.execute(
          sql`insert into endings (event_number, kind, reason) values (${event}, 'refunds', 'minimum') on conflict do nothing`,
        )
    const fact = ({ id, wallet, units, block }: Log) => ({
      ...{ transactionHash: hashOf(id), wallet, token, units, firstLogIndex: id, ...this.place(block) },
    })
    const fresh = found.filter(({ block }) => block > Number(before?.height ?? -1))
    const after = {
      height: BigInt(to),
      hash: this.hashOf(to),
      blockTime: new Date(to * 1000),
    }
    const isRecorded = await facts.recordOutgoing(tx, before, after, {
      transfers: fresh
        .filter(({ kind }) => kind === 'hand')
        .map((log) => ({ ...fact(log), recipient: log.payer })),
      paid: fresh
        .filter(({ kind }) => kind === 'paid')
        .map((log) => ({ ...fact(log), debtor: log.payer, total: log.total })),
      anchors: [],
    })
    expect(isRecorded).toBe(true)
    this.read = to
    this.isShut = false
    this.doubted.clear()
    const unchecked = await facts.uncheckedPayers(tx, 1n, 1_000)
    await facts.noteCodes(
      tx,
      unchecked.map((payer) => ({ payer, isContract: false })),
    )
  }

  private async recordPayments(logs: readonly Log[]): Promise<void> {
    const rows = logs.map((log) => ({
      ...{
        transaction_hash: hashOf(log.id),
        payer: log.payer,
        wallet: operator,
        event_number: log.event,
        token,
      },
      ...{
        units: `${log.units}`,
        block_number: log.block,
        block_hash: this.hashOf(log.block),
        block_time: new Date(log.block * 1000),
      },
      ...{ transaction_index: 0, first_log_index: log.id, status: log.isTicket ? 'credited' : 'rejected' },
      ...{
        reason: log.isTicket ? null : 'late',
        ticket_number: log.isTicket ? log.id : null,
        ticket_count: log.isTicket ? 1 : 0,
      },
    }))
    await this.tx.execute(sql`
      insert into payments (transaction_hash, payer, wallet, event_number, token, units, block_number, block_hash, block_time,
        transaction_index, first_log_index, status, reason, ticket_number, ticket_count)
      select transaction_hash, payer, wallet, event_number, token, units, block_number, block_hash, block_time,
        transaction_index, first_log_index, status, reason, ticket_number, ticket_count
      from json_populate_recordset(null::payments, ${JSON.stringify(rows)}::text::json) on conflict do nothing`)
  }

  /** An administrator says what he knows of each transfer that is read; some he looks at later, or takes back what he said. */
  async mark(inHowMany: number): Promise<void> {
    for (const { id, payer, block, isRefund } of this.logs.filter(({ kind }) => kind === 'hand')) {
      const isSaid = this.said.has(id)
      if (block > this.read || (isSaid && this.chance(40) > 0) || this.chance(inHowMany) > 0) continue
      const markedAs = isSaid && inHowMany > 1 ? null : isRefund ? 'refund' : 'none'
      const key = { transactionHash: hashOf(id), wallet: operator, recipient: payer }
      await facts.markTransfer(this.tx, { ...key, markedAs })
      if (markedAs) this.said.add(id)
      else this.said.delete(id)
    }
  }

  async back(): Promise<void> {
    const rows: Record<string, unknown> = {}
    for (const table of kept) {
      const [row] = await this.tx.execute<{ all: unknown }>(
        sql`select coalesce(json_agg(to_json(t)), '[]')::text as all from ${sql.identifier(table)} t`,
      )
      rows[table] = row?.all
    }
    this.backup = { read: this.read, said: new Set(this.said), rows }
  }

  async restore(): Promise<void> {
    if (!this.backup) return
    for (const table of kept) {
      const name = sql.identifier(table)
      await this.tx.execute(sql`delete from ${name}`)
      await this.tx.execute(
        sql`insert into ${name} select * from json_populate_recordset(null::${name}, ${this.backup.rows[table]}::text::json)`,
      )
    }
    this.read = this.backup.read
    this.isShut = true
    this.said = new Set(this.backup.said)
  }
}

const sum = (logs: readonly Log[]): bigint => logs.reduce((total, { units }) => total + units, 0n)
const hashOf = (id: number): Hash => pad(numberToHex(id))
const payerOf = (story: number, index: number): Address =>
  pad(numberToHex(0xabc0000 + story * 10 + index), { size: 20 })
const payers = Array.from({ length: storiesAtOnce * payersOfEach }, (_, n) =>
  payerOf(Math.floor(n / payersOfEach) + 1, n % payersOfEach),
)
const eventOf = (payer: Address): number => Math.floor((Number(BigInt(payer)) - 0xabc0000) / 10) + 1

async function tick(world: World): Promise<void> {
  const { chance } = world
  world.head += 1
  for (const payer of payers) {
    const event = eventOf(payer)
    const dice = chance(30)
    if (dice < 4)
      world.add('in', payer, BigInt(1 + chance(40)), {
        event,
        isTicket: !world.ends.has(event) && chance(4) > 0,
      })
    if (dice === 4) world.add('hand', payer, BigInt(1 + chance(40)))
    const left = world.owed(payer) - world.received(payer)
    if (dice === 5 && left > 0n && !world.isCalled(payer))
      world.add('hand', payer, chance(2) === 0 ? left : 1n + (left - 1n) / 2n, { isRefund: true })
    if (dice === 6 && event % 5 > 0 && !world.ends.has(event)) world.ends.set(event, world.head)
  }
  for (const call of world.calls)
    if (chance(3) === 0)
      for (let times = 1 + chance(2); times > 0; times--)
        world.send(call, chance(4) === 0 ? (payers[0] as Address) : operator)
  if (chance(6) === 0) world.replace(Math.max(1, world.head - chance(6)))
  if (chance(2) === 0) await world.sync(world.head - chance(3))
  if (chance(2) === 0) await world.mark(3)
  if (chance(3) === 0) world.calls.push(await world.list())
  if (chance(12) === 0) await world.back()
  if (chance(12) === 0) await world.restore()
}

test(
  `${worlds * storiesAtOnce} stories: everybody ends with exactly what he paid, by the logs of the chain alone`,
  async () => {
    const play = async (seed: number) =>
      db
        .transaction(async (tx) => {
          await tx.execute(sql`set local session_replication_role = replica`)
          await tx.execute(sql`insert into events (number, ticket_price, sale_lead_seconds, operator_wallet, chain_id, token, min_tickets, sale_start, archived_at)
        select n, ticket_price, sale_lead_seconds, operator_wallet, chain_id, token, min_tickets, to_timestamp(0), now()
        from events, generate_series(2, ${storiesAtOnce + 2}) n`)
          const world = new World(tx, generator(seed))
          for (let n = 0; n < ticks; n++) {
            await tick(world)
            // Nobody else sees these rows, so the planner would take the tables for empty ones.
            if (n % 5 === 0) await tx.execute(sql.raw(`analyze ${kept.join(', ')}, events`))
          }
          // What is on its way comes to its end, then one reads all and pays all.
          world.head += 20
          for (let round = 0; round < 2; round++) {
            await world.sync(world.head)
            await world.mark(1)
            const call = await world.list()
            world.head += 1
            world.send(call, operator)
          }
          await world.sync(world.head)
          expect((await world.list()).totals.size).toBe(0)
          const ended = payers.map((payer) => ({
            payer,
            paid: world.owed(payer),
            received: world.received(payer),
          }))
          expect(ended.filter(({ paid, received }) => paid !== received)).toEqual([])
          const [views] =
            await tx.execute(sql`select (select sum(units) from owed_payments)::text as payments,
        (select sum(owed) from refund_dues)::text as dues, (select sum(due) from refund_dues where due <> 0) as due`)
          expect(views).toEqual({
            payments: `${sum(world.logs.filter(({ kind, payer, isTicket, event }) => kind === 'in' && payer && (!isTicket || world.ends.has(event))))}`,
            dues: views?.payments,
            due: null,
          })
          tx.rollback()
        })
        .catch((error: unknown) => {
          if (!(error instanceof Error && error.message === 'Rollback')) throw error
        })
    await fc.assert(fc.asyncProperty(fc.nat(), play), {
      numRuns: worlds,
      seed: inject('seed'),
      endOnFailure: true,
    })
  },
  60_000 * worlds,
)

/** Mulberry32: numbers below a bound, the same for a seed. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
