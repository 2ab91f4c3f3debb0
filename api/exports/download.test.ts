import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eachExport, rowsOf } from '../../e2e/lab/exported.ts'
import { serve } from '../server/serve.ts'

const { adminApi, publicExport, sell } = eachExport()
const history = () => adminApi.send('POST', '/api/admin/export/history', { token: adminApi.token })
const sellMany = (count = 20_000) =>
  adminApi.db.execute(sql`
    insert into payments (transaction_hash, payer, wallet, event_number, token, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, ticket_number, ticket_count)
    select '0x' || encode(sha256(('hash ' || i)::bytea), 'hex'), '0x' || left(encode(sha256(('payer ' || i)::bytea), 'hex'), 40),
      '0x' || repeat('0f', 20), 1, ${adminApi.event.token}, 3000000000000000000::numeric, i, '0x' || repeat('00', 32),
      now() + i * interval '1 second', i % 100, 0, 'credited', i, 1
    from generate_series(1, ${count}::int) as i`)
/** Asks until the one before has ended. */
async function whenFree(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 429) return answer
    await new Promise(setImmediate)
  }
}
/** The processes that make files from this test's database. */
const makers = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      const { databaseUrl } = adminApi.deps.admin
      const isMaker = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('exports/maker')
      return isMaker && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATABASE_URL=${databaseUrl}`)
    } catch {
      return false
    }
  })

test('whoever wants the same reads along, and anything else is refused meanwhile (U4)', async () => {
  await sell()
  const refund = () => adminApi.send('POST', '/api/admin/export/refund', { token: adminApi.token, body: {} })
  const [same, other] = await Promise.all([
    Promise.all([history(), history(), publicExport(), publicExport()]),
    history().then(refund),
  ])
  expect(other.status).toBe(429)
  expect(await other.json()).toMatchObject({ code: 'EXPORT_BUSY' })
  expect(other.headers.get('retry-after')).toBe('2')
  const files = await Promise.all(same.map((answer) => answer.bytes()))
  expect(files[0]).toEqual(files[1])
  expect(files[2]).toEqual(files[3])
  expect((await whenFree(refund)).status).toBe(200)
})

test('a new sale is in the next file, also while somebody has not read the one before', async () => {
  const slow = await publicExport()
  // Who reads along has its end once it is made.
  await (await publicExport()).bytes()
  await sell()
  expect(await rowsOf(await whenFree(publicExport))).toHaveLength(3)
  expect(await rowsOf(slow)).toHaveLength(1)
})

test('whoever has read a part of the fourth newest file is cut off, and not told that it was all', async () => {
  await sellMany(4_000)
  const slow = (await publicExport()).body?.getReader()
  const first = await slow?.read()
  const whole = await (await publicExport()).bytes()
  expect(first?.value?.length).toBeLessThan(whole.length)
  for (let newer = 0; newer < 2; newer++) await (await whenFree(publicExport)).bytes()
  expect((await slow?.read())?.done).toBe(false)
  await (await whenFree(publicExport)).bytes()
  await expect(slow?.read()).rejects.toThrow('broke off')
})

test.runIf(process.platform === 'linux')('a download whose maker is killed breaks off', async () => {
  await sellMany()
  const server = serve(adminApi.app, { port: 0, hostname: '127.0.0.1', log: adminApi.deps.log })
  const ask = () => fetch(`http://127.0.0.1:${server.port}/api/tickets/export/excel`)
  try {
    const cut = await ask()
    const reader = cut.body?.getReader()
    await reader?.read()
    for (const pid of makers()) process.kill(Number(pid), 'SIGKILL')
    const rest = async () => {
      while (!(await reader?.read())?.done) {
        // Reads on.
      }
    }
    await expect(rest()).rejects.toThrow()
    await expect.poll(() => makers(), { timeout: 10_000 }).toEqual([])
    const whole = await (await whenFree(ask)).bytes()
    // The end of a zip is there.
    expect([...whole.subarray(-22, -18)]).toEqual([...Buffer.from('PK\x05\x06')])
  } finally {
    await server.stop(true)
  }
})

test.runIf(process.platform === 'linux')('a maker whose api was killed ends', async () => {
  const given = [join(import.meta.dirname, 'maker.ts'), 'history', '0', 'ko', '0']
  const env = { DATABASE_URL: adminApi.deps.admin.databaseUrl }
  const command = `Bun.spawn([process.execPath, ...${JSON.stringify(given)}, String(process.pid)], { env: ${JSON.stringify(env)}, stdout: 'pipe' }); setInterval(() => {}, 1_000)`
  await adminApi.db.transaction(async (tx) => {
    await tx.execute(sql`lock table events, payments in access exclusive mode`)
    const api = Bun.spawn([process.execPath, '-e', command])
    await expect.poll(makers, { timeout: 20_000 }).toHaveLength(1)
    api.kill('SIGKILL')
    await expect.poll(makers, { timeout: 20_000 }).toEqual([])
  })
})
