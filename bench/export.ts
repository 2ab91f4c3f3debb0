import { join } from 'node:path'
import { openAdminApi } from './lib/admin-api.ts'
import { judged, median, printTable, spread, wholeSpread } from './lib/figures.ts'

type Run = {
  seconds: number
  firstByteMs: number
  growth: number
  longestMs: number
  ownMs: number
  idleMs: number
  bytes: number
}

const slowBytesPerSecond = 1_500_000

/**
 * The public export of 200,000 payments, read at full speed and by a slow reader, each in a fresh process:
 * `bun run bench export [rounds] [payments]`. `idle` is the longest stop of the same loop with nothing to do.
 */
export async function bench([rounds = '3', count = '200000']: string[]): Promise<void> {
  const adminApi = await openAdminApi()
  await adminApi.sql`
    insert into payments (transaction_hash, payer, wallet, event_number, token, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, ticket_number, ticket_count)
    select '0x' || encode(sha256(('hash ' || i)::bytea), 'hex'), '0x' || left(encode(sha256(('payer ' || i)::bytea), 'hex'), 40),
      '0x' || repeat('0f', 20), 1, (select token from events), 3000000000000000000::numeric, i, '0x' || repeat('00', 32), now(), i % 100, 0, 'credited', i, 1
    from generate_series(1, ${Number(count)}::int) as i`
  await adminApi.sql`vacuum analyze payments`
  const found = new Map<string, Run[]>()
  for (let round = 0; round < Number(rounds); round++)
    for (const [name, pace] of [
      ['full speed', 0],
      ['slow reader', slowBytesPerSecond],
    ] as const) {
      const api = await adminApi.startApi()
      await fetch(`${api.url}/api/raffle/config`)
      await Bun.sleep(1_000)
      const before = await api.seen()
      await Bun.sleep(2_000)
      const idle = await api.seen()
      const { seconds, firstByteMs, bytes } = await download(`${api.url}/api/tickets/export/excel`, pace)
      const after = await api.seen()
      await api.stop()
      const run = {
        seconds,
        firstByteMs,
        bytes,
        growth: after.peak - before.rss,
        longestMs: after.longestMs,
        ownMs: after.longestOwnMs,
        idleMs: idle.longestMs,
      }
      found.set(name, [...(found.get(name) ?? []), run])
    }
  const maker = await runMaker(adminApi.databaseUrl)
  await adminApi.close()

  console.log(`${count} payments, ${rounds} rounds in turn, each in a fresh process; median (range)`)
  printTable(
    [...found].map(([reader, runs]) => {
      const goal = reader === 'slow reader' ? 75 : 60
      const of = (pick: (run: Run) => number) => runs.map(pick)
      const ok =
        median(of((run) => run.growth)) <= goal &&
        median(of((run) => run.longestMs)) <= 50 &&
        median(of((run) => run.firstByteMs)) < 1_000
      return {
        reader,
        MiB: (median(of((run) => run.bytes)) / 2 ** 20).toFixed(1),
        seconds: spread(of((run) => run.seconds)),
        'first byte ms': wholeSpread(of((run) => run.firstByteMs)),
        'RSS growth MiB': wholeSpread(of((run) => run.growth)),
        'longest stop ms': wholeSpread(of((run) => run.longestMs)),
        'without waiting for a core': wholeSpread(of((run) => run.ownMs)),
        'idle ms': wholeSpread(of((run) => run.idleMs)),
        goal: judged(ok, `<= ${goal} MiB, <= 50 ms, < 1 s`),
      }
    }),
  )
  console.log(
    `The process that makes the file: at most ${maker.peakMiB.toFixed(0)} MiB, ${maker.cpuSeconds.toFixed(2)} s of processor time; both are gone when it ends.`,
  )
}

/** Memory and processor time of the process that makes the file. */
async function runMaker(databaseUrl: string) {
  const script = join(import.meta.dirname, '../api/exports/maker.ts')
  const child = Bun.spawn([process.execPath, script, 'tickets', '1', 'ko', '0', `${process.pid}`], {
    env: { DATABASE_URL: databaseUrl },
    stdout: 'pipe',
  })
  await new Response(child.stdout).bytes()
  await child.exited
  const used = child.resourceUsage()
  return {
    peakMiB: (used?.maxRSS ?? 0) / 2 ** 20,
    cpuSeconds: Number(used?.cpuTime.total ?? 0) / 1e6,
  }
}

/** Reads to the end, at most `bytesPerSecond`; 0 is without a limit. */
async function download(url: string, bytesPerSecond: number) {
  const start = performance.now()
  const response = await fetch(url)
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`)
  let firstByteMs = 0
  let bytes = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    firstByteMs ||= performance.now() - start
    bytes += chunk.length
    if (bytesPerSecond > 0) {
      const aheadMs = (bytes / bytesPerSecond) * 1000 - (performance.now() - start)
      if (aheadMs > 0) await Bun.sleep(aheadMs)
    }
  }
  return { seconds: (performance.now() - start) / 1000, firstByteMs, bytes }
}
