import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { type Address, keccak256, toHex } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import type { FoundPayment } from '../../core/payment.ts'
import { registerTotals } from '../../core/refund/totals.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, blockEnd, bob, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { type Event, getOpenEvent, watchWallet } from '../event/events.ts'
import { getScanCursor, type ScanCursor } from '../event/scan-cursor.ts'
import type { Db } from '../index.ts'
import { takeBack } from '../payment/refold.ts'
import { loadAccounts } from './accounts.ts'
import { writeBatch } from './batch.ts'
import { loadFits } from './memory.ts'
import type { Outgoing, OutgoingEntry, OutgoingTransfer } from './outgoing.ts'
import { applyWatch, getWatchCursor, rewindWatch, type WatchCursor } from './watch.ts'

const seeds = Number(process.env.REFUND_SEEDS ?? 12)
const second: Address = `0x${'1f'.repeat(20)}`
const otherToken: Address = `0x${'71'.repeat(20)}`
const actions = [
  'pay',
  'pay',
  'pay',
  'send',
  'sendOther',
  'call',
  'call',
  'waive',
  'prepare',
  'refold',
  'rewind',
] as const
type Step = { do: (typeof actions)[number]; a: number; b: number }

/** What the chain holds, and a database that follows it. */
class Kept {
  height = 1
  payments: FoundPayment[] = []
  transfers: OutgoingTransfer[] = []
  entries: OutgoingEntry[] = []
  private memory = new Map<string, bigint>()

  constructor(
    readonly db: Db,
    readonly event: Event,
  ) {}

  async run({ do: what, a, b }: Step): Promise<void> {
    const payer = a % 3 === 0 ? bob : alice
    const wallet = b % 2 ? second : operator
    const block = ++this.height
    const cents = 10 + ((a + b) % 8) * 10
    const found: FoundPayment[] = []
    if (what === 'pay') found.push(paid(this.event, { block, cents, payer, wallet }))
    if (what === 'send') this.move({ payer, wallet, units: unitsOf(cents) })
    if (what === 'sendOther') this.move({ payer, wallet, units: unitsOf(cents), token: otherToken })
    if (what === 'waive') this.remember({ payer, wallet, total: unitsOf(cents), isPaid: false })
    // Mostly what the books say, sometimes what an old list or a mistake says.
    if (what === 'call') {
      const ours = (await totalsIn(this.db)).find((one) => one.wallet === wallet && one.debtor === payer)
      const total = a % 4 === 0 ? unitsOf(cents) : (ours?.total ?? 0n)
      this.remember({ payer, wallet, total, isPaid: true })
    }
    this.payments.push(...found)
    await foldTo(this.db, this.event, block, found)
    await follow(this.db, this.event, block, this.sentAt(block))
    if (what === 'prepare') await prepare(this.db)
    if (what === 'refold') await this.refold(2 + (a % block))
    if (what === 'rewind') await this.rewind(2 + (a % block))
  }

  private remember({
    payer,
    wallet,
    total,
    isPaid,
  }: {
    payer: Address
    wallet: Address
    total: bigint
    isPaid: boolean
  }) {
    const key = `${wallet} ${payer}`
    const before = this.memory.get(key) ?? 0n
    if (total <= before) return
    this.memory.set(key, total)
    const units = total - before
    if (isPaid) this.move({ payer, wallet, units, debtor: payer })
    const kind = isPaid ? ('paid' as const) : ('waived' as const)
    const place = { ...this.place(), wallet, token: this.event.token, debtor: payer, total }
    this.entries.push({ ...place, kind, payee: isPaid ? payer : null, units: isPaid ? units : null })
  }
  private move(sent: {
    payer: Address
    wallet: Address
    units: bigint
    token?: Address
    debtor?: Address
  }): void {
    const { payer: recipient, wallet, units, token = this.event.token, debtor = null } = sent
    this.transfers.push({ ...this.place(), wallet, token, recipient, units, debtor })
  }
  private place() {
    const { number, hash, timestamp } = blockEnd(this.event, this.height)
    const transactionHash = keccak256(toHex(`sent ${this.event.saleStart.getTime()} ${this.height}`))
    return { transactionHash, logPosition: 0, blockNumber: number, blockHash: hash, blockTime: timestamp }
  }
  private sentAt = (from: number): Outgoing => ({
    transfers: this.transfers.filter(({ blockNumber }) => blockNumber >= from),
    entries: this.entries.filter(({ blockNumber }) => blockNumber >= from),
  })

  /** Blocks from here on are folded anew, as after a missed payment. */
  private async refold(from: number): Promise<void> {
    const cursor = (await getScanCursor(this.db)) as ScanCursor
    const { number, hash, timestamp } = blockEnd(this.event, from - 1)
    const to = { height: number, hash, blockTime: new Date(timestamp * 1000) }
    await takeBack(this.db, cursor, to, { text: 'a payment had been missed', isHole: true })
    const found = this.payments.filter(({ blockNumber }) => blockNumber >= from)
    await foldTo(this.db, this.event, this.height, found)
  }
  /** What was sent from here on is taken back and read again. */
  private async rewind(from: number): Promise<void> {
    const { number, hash } = blockEnd(this.event, from - 1)
    await rewindWatch(this.db, (await getWatchCursor(this.db)) as WatchCursor, { height: number, hash })
    await follow(this.db, this.event, this.height, this.sentAt(from))
  }
}

async function follow(db: Db, event: Event, block: number, found: Outgoing): Promise<void> {
  const { number: height, hash } = blockEnd(event, block)
  await applyWatch(db, await getWatchCursor(db), { height, hash }, found, undefined)
}
const prepare = (db: Db): Promise<unknown> =>
  db
    .transaction((tx) => writeBatch(tx, { kind: 'leftover', eventNumber: 1, minUnits: 0n }))
    .catch(({ code }) => expect(code).toBe('NOTHING_TO_REFUND'))

async function totalsIn(db: Db) {
  const { rows, accounts } = await loadAccounts(db, [alice, bob])
  return registerTotals(rows, accounts)
}
/**
 * What each payer is owed, and what the register and the wallets have done. By which wallet it is owed is not compared:
 * one that has waived owes it until another one takes it over, and which of a payer's refunds settled a debt that was
 * taken over is decided while they come. Null for whom the register has paid more than the books can explain: nothing
 * goes out to him before somebody has looked.
 */
async function books(db: Db) {
  const read = await loadAccounts(db, [alice, bob])
  const fits = await loadFits(db, read)
  const due = new Map<string, bigint | null>()
  for (const one of registerTotals(read.rows, read.accounts)) {
    const key = `${one.token} ${one.debtor}`
    const paidByCall = max(one.total - fits.remembered(one), 0n)
    expect(paidByCall, 'a call pays no more than is due').toBeLessThanOrEqual(one.due)
    const known = due.get(key)
    due.set(key, known === null || fits.isAhead(one) ? null : (known ?? 0n) + one.due)
  }
  const memory = await db.execute<{ text: string }>(sql`
    select concat_ws(' ', wallet, token, debtor, kind, units, total) as text from register_entries where not is_gone`)
  const transfers = await db.execute<{ text: string }>(sql`
    select concat_ws(' ', transaction_hash, wallet, token, recipient, units, debtor) as text from operator_transfers
    where not is_gone`)
  const texts = (rows: Iterable<{ text: string }>) => [...rows].map(({ text }) => text).sort()
  return { due, memory: texts(memory), transfers: texts(transfers) }
}
type Books = Awaited<ReturnType<typeof books>>

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Both books say the same of each payer of whom both say what he is owed. Answers with their number, and that of all. */
function compare(kept: Books, rebuilt: Books): [known: number, all: number] {
  expect({ ...kept, due: null }).toEqual({ ...rebuilt, due: null })
  const keys = [...new Set([...kept.due.keys(), ...rebuilt.due.keys()])]
  // Of whom nothing is owed it is no matter whether he is named.
  const said = keys.map((key) => [kept, rebuilt].map(({ due }) => (due.has(key) ? due.get(key) : 0n)))
  const known = said.filter(([before, after]) => before !== null && after !== null)
  for (const [before, after] of known) expect(after).toBe(before)
  return [known.length, said.length]
}

async function open(saleStart?: Date) {
  const own = await testDb()
  await openEvent(own.db)
  if (saleStart)
    await withOtherPast(own.db, (tx) =>
      tx.execute(sql`update events set sale_start = ${saleStart.toISOString()}`),
    )
  for (const wallet of [operator, second]) await watchWallet(own.db, wallet)
  await own.db.execute(sql`update operator_wallets set since = to_timestamp(0)`)
  const event = (await getOpenEvent(own.db)) as Event
  await foldTo(own.db, event, 1)
  return { own, event }
}

const steps = (...told: [Step['do'], number, number][]): [Step[]] => [
  told.map(([what, a, b]) => ({ do: what, a, b })),
]
const examples = [
  // Preparing hands a debt over that plain transfers settle as well, one of them later.
  steps(
    ['waive', 0, 4],
    ['call', 24, 11],
    ['pay', 18, 18],
    ['pay', 15, 26],
    ['send', 6, 31],
    ['prepare', 4, 22],
    ['send', 36, 18],
  ),
  // A call by mistake, for what was waived when the row was prepared and is a part of what is owed in the end.
  steps(
    ['waive', 13, 2],
    ['pay', 7, 2],
    ['call', 28, 33],
    ['prepare', 2, 32],
    ['pay', 10, 0],
    ['pay', 17, 16],
    ['pay', 23, 3],
    ['pay', 26, 10],
    ['pay', 29, 11],
  ),
]

test('books that are rebuilt from the chain alone say what the books say that were kept all along', {
  timeout: 240_000 + seeds * 10_000,
}, async () => {
  const story = fc.array(fc.record({ do: fc.constantFrom(...actions), a: fc.nat(40), b: fc.nat(40) }), {
    minLength: 6,
    maxLength: 24,
  })
  let [compared, count] = [0, 0]
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const { own, event } = await open()
      const kept = new Kept(own.db, event)
      await follow(own.db, event, 1, { transfers: [], entries: [] })
      for (const step of steps) await kept.run(step)
      await prepare(own.db)

      const rebuilt = await open(event.saleStart)
      const { height, payments, transfers, entries } = kept
      await foldTo(rebuilt.own.db, rebuilt.event, height, payments)
      await follow(rebuilt.own.db, rebuilt.event, height, { transfers, entries })
      await prepare(rebuilt.own.db)
      const [known, all] = compare(await books(own.db), await books(rebuilt.own.db))
      compared += known
      count += all
      await Promise.all([own.close(), rebuilt.own.close()])
    }),
    { numRuns: seeds, endOnFailure: true, examples },
  )
  expect(compared / count).toBeGreaterThan(0.5)
})
