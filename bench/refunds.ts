import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { getAddress } from 'viem'
import { unitsOf } from '../core/money.ts'
import { parseEnv } from '../core/server/env.ts'
import { connect, type Db } from '../db/index.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { loadAccounts } from '../db/refund/accounts.ts'
import { writeBatch } from '../db/refund/batch.ts'
import { listRefundRows } from '../db/refund/list.ts'
import { offerByRegister } from '../db/refund/offer-register.ts'
import { offerRefunds } from '../db/refund/offers.ts'
import { noteRejected, noteSent } from '../db/refund/reports.ts'
import { refundRows } from '../db/schema/index.ts'
import { openTestChain, operator, type TestChain } from '../e2e/lab/chain.ts'
import { scriptedWallet } from '../e2e/lab/refund-wallet.ts'
import { transfersBetween, usdt } from '../e2e/lab/usdt.ts'
import { startPostgres } from '../infra/local/postgres.ts'
import { createDesk } from '../site/src/admin/refund/signing/desk.ts'
import type { RefundApi } from '../site/src/admin/refund/signing/types.ts'
import { connectChain } from '../worker/chain/index.ts'
import { prepareRefunds } from '../worker/refund/prepare.ts'
import { watchRefunds } from '../worker/refund/watch.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'

const scope = { kind: 'event', eventNumber: 1 } as const
const minUnits = unitsOf(10)

/**
 * How long the rows of a large batch take to prepare, and how often a wallet's user is asked for 300 of them:
 * `bun run bench refunds [rows] [rounds]`.
 */
export async function bench([rows = '10000', rounds = '3']: string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-bench-'))
  // mkdtemp keeps others out, and Postgres runs as another user when we are root
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o755)
  const [server, chain] = await Promise.all([startPostgres({ dataDir }), openTestChain()])
  await prepareDatabase({ databaseUrl: server.url, env: parseEnv({}), operatorWallet: operator })
  const { db, close } = connect(server.url)
  await db.execute(sql`update events set refund_mode_at = now(), frozen_at = now(), ledger_sha256 = '0x',
    ledger_lines = 1, draw_date = now(), sale_end = now(), sale_start = now() - interval '1 hour', token = ${usdt}`)

  const prepared: number[] = []
  const repeated: number[] = []
  for (let round = 0; round < Number(rounds); round++) {
    await putPayments(db, Number(rows))
    prepared.push(await timed(() => prepare(db)))
    repeated.push(await timed(() => prepare(db)))
  }
  await chain.mine(3)
  const deps = { db, chain: connectChain([chain.url], 56), log: pino({ level: 'silent' }) }
  const asked = await timed(() => prepareRefunds({ ...deps, refundMinUnits: minUnits }, {}))
  console.log(`${rows} payers with two payments each, ${rounds} rounds; seconds, median (range)`)
  printTable([
    { step: 'batch and rows', seconds: spread(prepared), goal: judged(median(prepared) <= 5, '<= 5 s') },
    { step: 'the same again', seconds: spread(repeated), goal: judged(median(repeated) <= 5, '<= 5 s') },
    { step: 'is each payer a contract, asked of one endpoint', seconds: asked.toFixed(2), goal: '' },
  ])

  await booksOfMany(db, 100_000)

  const batched = await signAll(db, chain, { max: 10 })
  const byRegister = await signAll(db, chain, undefined)
  console.log('300 recipients, signatures asked of the wallet, everybody paid once by the logs')
  printTable([
    { way: 'EIP-5792 in tens', signatures: `${batched}`, goal: judged(batched <= 30, '<= 30') },
    { way: 'register', signatures: `${byRegister}`, goal: judged(byRegister <= 3, '<= 3') },
  ])
  await close()
  await Promise.all([chain.stop(), server.stop()])
  rmSync(dataDir, { recursive: true, force: true })
}

/** The books of a batch in which half of the payers are paid, as one reading of them all. */
async function booksOfMany(db: Db, payers: number): Promise<void> {
  await putPayments(db, payers)
  await prepare(db)
  await db.execute(sql`
    insert into operator_transfers (transaction_hash, log_position, token, wallet, recipient, units, block_number,
      block_hash, block_time)
    select '0x' || lpad(to_hex(id), 64, '0'), 0, ${usdt}, ${operator}, payer, units, 9, '0x', now()
    from refund_rows where id % 2 = 0`)
  await db.execute(sql`analyze refund_rows, refund_row_payments, operator_transfers`)
  const all = await db.select({ payer: refundRows.payer }).from(refundRows)
  const seconds: number[] = []
  let open = 0n
  for (let round = 0; round < 3; round++)
    seconds.push(
      await timed(async () => {
        const { accounts } = await loadAccounts(
          db,
          all.map(({ payer }) => payer),
        )
        open = [...accounts.values()].reduce((sum, { due }) => sum + due, 0n)
      }),
    )
  const expected = (BigInt(payers) / 2n) * unitsOf(600)
  if (open !== expected) throw new Error(`the books say that ${open} is open, not ${expected}`)
  printTable([
    {
      step: `books of ${payers} payers with two payments each, half of them paid`,
      seconds: spread(seconds),
      goal: judged(median(seconds) <= 3, '<= 3 s'),
    },
  ])
}

const prepare = (db: Db) => db.transaction((tx) => writeBatch(tx, { ...scope, minUnits }))

/** Different payers each time, as earlier transfers to a payer count as refunds. */
let firstPayer = 4_096

async function putPayments(db: Db, payers: number): Promise<void> {
  firstPayer += payers
  for (const table of [
    'operator_transfers',
    'refund_row_payments',
    'refund_rows',
    'refund_batches',
    'payments',
  ])
    await db.execute(sql.raw(`delete from ${table}`))
  await db.execute(sql`
    insert into payments (transaction_hash, payer, wallet, event_number, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, ticket_number, ticket_count)
    select '0x' || lpad(to_hex(n), 64, '0'), '0x' || lpad(to_hex(n % ${payers} + ${firstPayer}), 40, 'a'), ${operator}, 1,
      3000000000000000000, 0, '0x' || lpad('', 64, 'b'), now(), n, 0, 'credited', n, 1
    from generate_series(1, ${payers * 2}) n`)
  await db.execute(sql`analyze payments`)
}

/** Signs 300 rows with the refund page's own code on a real chain; returns how often the wallet asked. */
async function signAll(db: Db, chain: TestChain, batch: { max: number } | undefined): Promise<number> {
  await db.execute(sql`delete from refund_watch`)
  await putPayments(db, 300)
  await prepare(db)
  const deps = { db, chain: connectChain([chain.url], 56), log: pino({ level: 'silent' }) }
  await chain.mine(3)
  await prepareRefunds({ ...deps, refundMinUnits: minUnits }, {})
  const [rich] = chain.buyers
  await chain.submitPayment({ from: rich, cents: 300 * 600 })
  await chain.mine()
  const wallet = scriptedWallet({ url: chain.url, account: getAddress(operator), ...(batch && { batch }) })
  const api: RefundApi = {
    open: async () => {
      await chain.finalize()
      await watchRefunds(deps)
      const open = (await listRefundRows(db, scope)).filter(({ row }) => row.state !== 'settled')
      return open.map(({ toSend }) => toSend)
    },
    offer: (request) =>
      db.transaction(async (tx) =>
        request.path === 'register'
          ? offerByRegister(tx, { ...request, wallet: operator, validFor: 3_600 })
          : { rows: await offerRefunds(tx, { ...request, wallet: operator }), register: null },
      ),
    keep: async () => undefined,
    sent: async (ids, hash) => void (await db.transaction((tx) => noteSent(tx, ids, hash))),
    bundled: async () => undefined,
    bundles: async () => [],
    rejected: async (rows) => void (await db.transaction((tx) => noteRejected(tx, rows))),
  }
  const before = await paid(chain)
  const desk = createDesk({
    ...{ provider: wallet.provider, api, journal: { read: () => [], write: () => undefined } },
    terms: { chainId: 56, token: usdt, wallet: operator },
    path: batch ? 'batch' : 'register',
    ...{ onChange: () => undefined, pollMs: 10 },
  })
  await desk.run()
  const { phase } = desk.state()
  if (phase !== 'done' || (await paid(chain)) - before !== unitsOf(300 * 600))
    throw new Error(`the refunds ended as ${phase}`)
  return wallet.signatures()
}

/** USDT that has left the operator's wallet, from the logs. */
async function paid(chain: TestChain): Promise<bigint> {
  const transfers = await transfersBetween(chain.url, { from: operator })
  return transfers.reduce((sum, { units }) => sum + units, 0n)
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return (performance.now() - began) / 1000
}
