import { retryWhileBusy } from '../core/verify/download.ts'
import { openAdminApi } from './lib/admin-api.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'

type Run = { seconds: number; firstByteMs: number; growth: number; longestMs: number; bytes: number }

const wallet = `0x${'0f'.repeat(20)}`
/** How many of the transfers went out, after all the others. */
const outgoing = 50_000
const block = { number: 2_000_000, hash: `0x${'bb'.repeat(32)}`, timestamp: 1_900_000_000 }

/**
 * The file of the money of an event with 1,000,000 transfers, each time in a fresh process: the first reading also makes the
 * fingerprint, the second one has it. `bun run bench flows [rounds] [transfers]`.
 */
export async function bench([rounds = '3', count = '1000000']: string[]): Promise<void> {
  const adminApi = await openAdminApi()
  const { sql } = adminApi
  await sql`
    insert into payments (transaction_hash, payer, wallet, event_number, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, ticket_number, ticket_count)
    select '0x' || encode(sha256(('hash ' || i)::bytea), 'hex'), '0x' || left(encode(sha256(('payer ' || i)::bytea), 'hex'), 40),
      ${wallet}, 1, 3000000000000000000::numeric, i, '0x' || repeat('00', 32), to_timestamp(1800000000 + i), i % 100, 0,
      'credited', i, 1
    from generate_series(1, ${Number(count) - outgoing}::int) as i`
  await sql`
    insert into operator_transfers (transaction_hash, log_position, token, wallet, recipient, units, block_number, block_hash,
      block_time, transaction_index, log_index)
    select '0x' || encode(sha256(('sent ' || i)::bytea), 'hex'), 0, lower(e.token), ${wallet}, '0x' || repeat('ab', 20),
      1000000000000000000::numeric, 1000000 + i, '0x' || repeat('00', 32), to_timestamp(1800000000 + 1000000 + i), 1, 1
    from generate_series(1, ${outgoing}::int) as i, events e where e.number = 1`
  await sql`insert into wallet_openings (wallet, token, block_number, block_hash, block_time, units)
    select ${wallet}, lower(token), 0, ${block.hash}, now(), 0 from events where number = 1`
  await sql`insert into solvency (event_number, height, facts, dust)
    values (1, ${block.number}, ${sql.json({ block })}, 0)`
  await sql`vacuum analyze payments`
  await sql`vacuum analyze operator_transfers`
  const found = new Map<string, Run[]>()
  for (let round = 0; round < Number(rounds); round++) {
    const api = await adminApi.startApi()
    await fetch(`${api.url}/api/raffle/config`)
    await Bun.sleep(1_000)
    const before = await api.seen()
    for (const reading of ['first reading', 'again']) {
      const told = await download(`${api.url}/api/raffle/flows/1`)
      const after = await api.seen()
      const run = { ...told, growth: after.peak - before.rss, longestMs: after.longestMs }
      found.set(reading, [...(found.get(reading) ?? []), run])
    }
    await api.stop()
  }
  await adminApi.close()

  console.log(`${count} transfers, ${rounds} rounds, each in a fresh process; median (range)`)
  printTable(
    [...found].map(([reading, runs]) => {
      const of = (pick: (run: Run) => number) => runs.map(pick)
      const growth = of((run) => run.growth)
      return {
        reading,
        MiB: (median(of((run) => run.bytes)) / 2 ** 20).toFixed(1),
        seconds: spread(of((run) => run.seconds)),
        'first byte ms': spread(
          of((run) => run.firstByteMs),
          0,
        ),
        'RSS growth MiB': spread(growth, 0),
        'longest stop ms': spread(
          of((run) => run.longestMs),
          0,
        ),
        goal: judged(median(growth) <= 100, '<= 100 MiB'),
      }
    }),
  )
}

async function download(url: string) {
  const start = performance.now()
  const response = await retryWhileBusy(() => fetch(url), 300_000)
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`)
  let firstByteMs = 0
  let bytes = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    firstByteMs ||= performance.now() - start
    bytes += chunk.length
  }
  return { seconds: (performance.now() - start) / 1000, firstByteMs, bytes }
}
