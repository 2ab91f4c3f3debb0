import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { parseEnv } from '../core/server/env.ts'
import { connect } from '../db/index.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { salesCurve, salesFigures } from '../db/report/sales.ts'
import { startPostgres } from '../infra/local/postgres.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'

/**
 * The sale of 1,000,000 payments as a picture and in figures, against one plain sum over the same rows:
 * `bun run bench sales [rounds] [payments]`.
 */
export async function bench([rounds = '7', count = '1000000']: string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-bench-'))
  // mkdtemp keeps others out, and Postgres runs as another user when we are root
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o755)
  const server = await startPostgres({ dataDir })
  const operatorWallet = `0x${'0f'.repeat(20)}` as const
  await prepareDatabase({ databaseUrl: server.url, env: parseEnv({}), operatorWallet })
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined })
  await sell(sql, Number(count))
  const { db, close } = connect(server.url, { max: 1, name: 'blockdraw bench' })

  const ways: Record<string, { run: () => Promise<unknown>; goal?: number }> = {
    'one sum over all payments': { run: () => db.execute('select sum(ticket_count) from payments') },
    'the curve of everybody': { run: () => salesCurve(db, 1), goal: 0.5 },
    'all figures of the dashboard': { run: () => salesFigures(db), goal: 5 },
  }
  const found = new Map<string, number[]>()
  for (let round = 0; round <= Number(rounds); round++)
    for (const [name, { run }] of Object.entries(ways)) {
      const begun = performance.now()
      await run()
      // The first round only warms up.
      if (round > 0) found.set(name, [...(found.get(name) ?? []), performance.now() - begun])
    }
  await close()
  await sql.end()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })

  const floor = found.get('one sum over all payments') ?? []
  console.log(`${count} payments, ${rounds} rounds in turn; median (range)`)
  printTable(
    [...found].map(([way, times]) => {
      const { goal } = ways[way] ?? {}
      const ratios = times.map((ms, round) => ms / (floor[round] ?? Number.NaN))
      return {
        way,
        ms: spread(times, 0),
        'x floor': spread(ratios),
        goal: goal ? judged(median(ratios) <= goal, `<= ${goal} x`) : '',
      }
    }),
  )
}

/** Of a payer for every three payments, one a second or so for ten days, the newest of them now. */
async function sell(sql: postgres.Sql, count: number): Promise<void> {
  await sql`
    insert into payments (transaction_hash, payer, wallet, event_number, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, ticket_number, ticket_count)
    select '0x' || encode(sha256(('hash ' || i)::bytea), 'hex'),
      '0x' || left(encode(sha256(('payer ' || i % (${count}::int / 3))::bytea), 'hex'), 40),
      '0x' || repeat('0f', 20), 1, (1 + i % 5) * 3000000000000000000::numeric, i, '0x' || repeat('00', 32),
      now() - (${count}::int - i) * interval '864000 seconds' / ${count}::int,
      0, 0, 'credited', (sum(1 + i % 5) over (order by i) - i % 5)::int, 1 + i % 5
    from generate_series(1, ${count}::int) as i`
  await sql`alter table events disable trigger all`
  await sql`update events set sale_start = now() - interval '10 days', sale_end = now() + interval '1 day',
    draw_date = now() + interval '2 days', tickets_sold = (select sum(ticket_count) from payments)`
  await sql`alter table events enable trigger all`
  await sql`insert into scan_cursor (id, height, hash, block_time) values (1, 2000000, '0x00', now())`
  await sql`vacuum analyze`
}
