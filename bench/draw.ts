import { join } from 'node:path'
import postgres from 'postgres'
import { parseEnv } from '../core/server/env.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { ownPostgres } from './lib/database.ts'
import { judged, median, printTable, spread, wholeSpread } from './lib/figures.ts'
import { pinned } from './lib/pinned.ts'

type Run = { sha256: string; seconds: number; peak: number }

/**
 * Freeze, fingerprint and draw of 1,000,000 payments, against a bare cursor over the same rows with SHA-256:
 * `bun run bench draw [rounds] [payments]`. The product reads the list twice: the draw trusts no stored hash.
 */
export async function bench([rounds = '5', count = '1000000']: string[]): Promise<void> {
  const server = await ownPostgres()
  const operatorWallet = `0x${'0f'.repeat(20)}` as const
  await prepareDatabase({ databaseUrl: server.url, env: parseEnv({}), operatorWallet })
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined })
  await sellOut(sql, Number(count))
  const lib = join(import.meta.dir, 'lib')
  const ways = {
    'bare cursor + SHA-256': [join(lib, 'draw-bare.ts'), server.url],
    'freeze + draw': [join(lib, 'draw-product.ts'), server.url, '1000001'],
    'with beacon, 20 winners, reserves': [join(lib, 'draw-product.ts'), server.url, '1000001', 'everything'],
  }
  const found = new Map<string, Run[]>()
  for (let round = 0; round <= Number(rounds); round++)
    for (const [name, command] of Object.entries(ways)) {
      await reopen(sql, command.at(-1) === 'everything')
      const child = pinned(0, [process.execPath, ...command])
      const run = await child.next<Run>()
      await child.exited
      // The first round only warms up.
      if (round > 0) found.set(name, [...(found.get(name) ?? []), run])
    }
  await sql.end()
  await server.close()

  const runs = [...found.values()]
  if (new Set(runs.flat().map((run) => run.sha256)).size !== 1) throw new Error('the fingerprints differ')
  const bare = found.get('bare cursor + SHA-256') ?? []
  const goals = new Map([
    ['freeze + draw', 1.5],
    ['with beacon, 20 winners, reserves', 2.2],
  ])
  console.log(`${count} payments, ${rounds} rounds in turn; median (range)`)
  printTable(
    [...found].map(([way, own]) => {
      const ratios = own.map((run, round) => run.seconds / (bare[round]?.seconds ?? Number.NaN))
      const peaks = own.map((run) => run.peak)
      const goal = goals.get(way)
      return {
        way,
        seconds: spread(own.map((run) => run.seconds)),
        'x bare': spread(ratios),
        'peak MiB': wholeSpread(peaks),
        goal: goal ? judged(median(ratios) <= goal && median(peaks) <= 110, `<= ${goal} x, <= 110 MiB`) : '',
      }
    }),
  )
}

/** Event 1, due and not frozen yet, with `count` payments of one to five tickets. */
async function sellOut(sql: postgres.Sql, count: number): Promise<void> {
  await sql`
    insert into payments (transaction_hash, payer, wallet, event_number, token, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, ticket_number, ticket_count)
    select '0x' || encode(sha256(('hash ' || i)::bytea), 'hex'), '0x' || left(encode(sha256(('payer ' || i)::bytea), 'hex'), 40),
      '0x' || repeat('0f', 20), 1, (select token from events), (1 + i % 5) * 3000000000000000000::numeric, i, '0x' || repeat('00', 32), now() - interval '2 hours',
      i % 100, 0, 'credited', (sum(1 + i % 5) over (order by i) - i % 5)::int, 1 + i % 5
    from generate_series(1, ${count}::int) as i`
  await withoutTriggers(
    sql,
    () => sql`update events set sale_start = now() - interval '3 hours', sale_end = now() - interval '1 hour',
      draw_date = now() - interval '1 minute', tickets_sold = (select sum(ticket_count) from payments)`,
  )
  await sql`insert into cursors (name, height, hash, block_time) values ('payments', 2000000, '0x00', now())`
  await sql`vacuum analyze`
}

/** Undoes draw and freeze, and promises what is drawn next, which only a benchmark may do. */
async function reopen(sql: postgres.Sql, everything: boolean): Promise<void> {
  await withoutTriggers(sql, async () => {
    await sql`delete from draws`
    await sql`delete from endings`
    await sql`update events set frozen_at = null, ledger_sha256 = null, ledger_lines = null, terms = null,
      entropy = ${everything ? 'blocks+drand' : 'blocks'}, winners = ${everything ? 20 : 1}`
  })
  await sql`checkpoint`
}

/** What the triggers refuse on purpose: to sell tickets in the past, and to undo what was drawn. */
async function withoutTriggers(sql: postgres.Sql, act: () => Promise<unknown>): Promise<void> {
  const tables = ['draws', 'endings', 'events']
  for (const table of tables) await sql`alter table ${sql(table)} disable trigger all`
  await act()
  for (const table of tables) await sql`alter table ${sql(table)} enable trigger all`
}
