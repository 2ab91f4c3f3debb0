import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beaconRounds, draws } from '../db/schema/index.ts'
import { createAdminClient } from '../e2e/lab/admin-client.ts'
import { accountsOf } from '../e2e/lab/chain-verbs.ts'
import { payByHand } from '../e2e/lab/pay.ts'
import { type Stack, startStack } from '../e2e/lab/stack.ts'
import { startPostgres } from '../infra/local/postgres.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'

const admin = { username: 'bench', password: 'a-long-enough-password-9' }

/**
 * How long after the time of its round an event with `blocks+drand` is drawn, on the whole stack in real time, with blocks
 * of 0.45 s that are final two later: a final block must have reached the round's time, the relay is asked, its signature
 * checked, and the draw stored. A round takes some 90 s: `bun run bench signature [rounds]`.
 */
export async function bench([rounds = '3']: string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-bench-'))
  // mkdtemp keeps others out, and Postgres runs as another user when we are root
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o755)
  const server = await startPostgres({ dataDir })
  const stack = await startStack({
    database: { url: server.url, close: server.stop },
    demoWallet: true,
    env: { SALE_LEAD_SECONDS: '10', ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
  })
  const { call, login } = createAdminClient(() => stack.url, admin)
  await login()
  const seconds: number[] = []
  for (let number = 1; number <= Number(rounds); number++) {
    const drawDate = new Date(Math.ceil(Date.now() / 1000 + 20) * 1000).toISOString()
    const terms = { entropy: 'blocks+drand', drawDate, minTicketsForDraw: 1 }
    const { status, body } = await call('PATCH', '/api/admin/raffle/config', terms)
    if (status !== 200) throw new Error(`the event was not set: ${JSON.stringify(body)}`)
    // What is paid before the sale begins buys nothing.
    await Bun.sleep(3_000)
    const [, buyer] = await accountsOf(stack.chain.url)
    await payByHand(stack.chain.url, buyer as `0x${string}`, 3)
    seconds.push(await secondsAfterItsRound(stack, number))
  }
  console.log(`${rounds} draws, one after the other`)
  printTable([
    {
      what: 'time of the round -> draw stored, seconds',
      'median (range)': spread(seconds),
      goal: judged(median(seconds) <= 5, '<= 5 s'),
    },
  ])
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function secondsAfterItsRound({ db, errors }: Stack, eventNumber: number): Promise<number> {
  const giveUp = Date.now() + 180_000
  for (;;) {
    const [row] = await db
      .select({ drawnAt: draws.drawnAt, dueAt: beaconRounds.dueAt })
      .from(draws)
      .innerJoin(beaconRounds, eq(beaconRounds.eventNumber, draws.eventNumber))
      .where(eq(draws.eventNumber, eventNumber))
    if (row) {
      // Until the result is announced nothing can follow.
      await Bun.sleep(Math.max(0, row.drawnAt.getTime() + 12_000 - Date.now()))
      return (row.drawnAt.getTime() - row.dueAt.getTime()) / 1000
    }
    if (Date.now() > giveUp) throw new Error(`event ${eventNumber} was not drawn: ${errors().join('\n')}`)
    await Bun.sleep(500)
  }
}
