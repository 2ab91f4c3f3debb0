import { sql } from 'drizzle-orm'
import { unitsOf } from '../core/money.ts'
import { parseEnv } from '../core/server/env.ts'
import { connect, type Db } from '../db/index.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { loadOpenRefunds, payableLines, refundPage, refundSummary } from '../db/refund/dues.ts'
import { uncheckedPayers } from '../db/refund/facts.ts'
import { requiredUnits } from '../db/report/solvency.ts'
import { operator } from '../e2e/lab/chain.ts'
import { ownPostgres } from './lib/database.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'

const minUnits = unitsOf(10)
const paidEach = unitsOf(300)

/**
 * How long the desk waits for dues, beside a bare sum of the payments a payer: `bun run bench refunds [payers] [dust]`. Each
 * payer has paid twice, and every other one has got his money back.
 */
export async function bench([payers = '100000', dust = '1000000']: string[]): Promise<void> {
  const server = await ownPostgres()
  await prepareDatabase({ databaseUrl: server.url, env: parseEnv({}), operatorWallet: operator })
  const { db, close } = connect(server.url)
  await putBuyers(db, Number(payers))
  await measure(db, `${payers} payers`, { desk: 0.5, page: 0.1 })
  const { due, payers: count } = await refundSummary(db, minUnits)
  const unpaid = Math.floor(Number(payers) / 2)
  if (due !== BigInt(unpaid) * 2n * paidEach || count.due !== unpaid)
    throw new Error(`${due} is due to ${count.due} payers, not to ${unpaid}`)
  await putDust(db, Number(dust))
  await measure(db, `${payers} payers, ${dust} dust payers`, { page: 1 })
  await close()
  await server.close()
}

/** Goals in seconds. */
async function measure(
  db: Db,
  title: string,
  goals: { desk?: number | undefined; page: number },
): Promise<void> {
  const steps: [string, () => Promise<unknown>, (number | undefined)?][] = [
    [
      'floor: bare GROUP BY of the payments',
      () =>
        db.execute(sql`select count(*) from (select payer, sum(units) from payments group by payer) payers`),
    ],
    ['dues: summary of the desk', () => refundSummary(db, minUnits), goals.desk],
    ['first page', () => refundPage(db, { minUnits, limit: 100 }), goals.page],
    ['first page of settled lines', () => refundPage(db, { minUnits, limit: 100, state: 'settled' })],
    ['first page of dust', () => refundPage(db, { minUnits, limit: 100, state: 'dust' })],
    ['all lines that may be paid', () => payableLines(db, { minUnits })],
    ['payers whose code is unread', () => uncheckedPayers(db, minUnits, 100)],
    ['open refunds, for the public state', () => loadOpenRefunds(db)],
    ['what solvency requires', () => requiredUnits(db)],
  ]
  console.log(`\n${title}; seconds, median (range) of 5`)
  const rows = []
  for (const [step, run, goal] of steps) {
    const seconds: number[] = []
    for (let round = 0; round < 5; round++) {
      const start = performance.now()
      await run()
      seconds.push((performance.now() - start) / 1000)
    }
    const is = goal === undefined ? '' : judged(median(seconds) <= goal, `<= ${goal} s`)
    rows.push({ step, seconds: spread(seconds, 3), goal: is })
  }
  printTable(rows)
}

/** An event in refunds; every other payer is paid by one call of the register. */
async function putBuyers(db: Db, payers: number): Promise<void> {
  await db.execute(sql`insert into endings (event_number, kind, reason) values (1, 'refunds', 'minimum')`)
  await db.execute(sql`
    insert into payments (transaction_hash, payer, wallet, event_number, token, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, ticket_number, ticket_count)
    select '0x' || lpad(to_hex(n), 64, '0'), '0x' || substr(md5((n % ${payers})::text), 1, 8) || lpad(to_hex(n % ${payers}), 32, 'a'),
      ${operator}, 1, (select token from events), ${paidEach}::numeric, n, '0x', now(), 0, 0, 'credited', n, 1
    from generate_series(1, ${payers * 2}) n`)
  await db.execute(sql`
    insert into outgoing_transfers (transaction_hash, wallet, recipient, token, units, total, block_number, block_hash, block_time,
      transaction_index, first_log_index)
    select '0x' || lpad(to_hex(id), 64, 'f'), ${operator}, payer, token, 2 * units, 2 * units, 9, '0x', now(), 0, 0
    from payments where id <= ${payers} and id % 2 = 0`)
  await db.execute(
    sql`insert into payer_codes (payer, is_contract) select distinct payer, false from payments`,
  )
  await db.execute(sql`vacuum analyze`)
}

/** Strangers who send one unit each. */
async function putDust(db: Db, payers: number): Promise<void> {
  await db.execute(sql`
    insert into payments (transaction_hash, payer, wallet, event_number, token, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, reason)
    select '0x' || lpad(to_hex(n), 64, 'd'), '0x' || substr(md5('dust ' || n), 1, 32) || 'dddddddd', ${operator}, 1,
      (select token from events), 1, n, '0x', now(), 0, 0, 'rejected', 'underpaid'
    from generate_series(1, ${payers}) n`)
  await db.execute(sql`vacuum analyze`)
}
