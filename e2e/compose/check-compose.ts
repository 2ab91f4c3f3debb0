import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operatorAccount } from '../../infra/local/chain.ts'
import { freePort } from '../../infra/local/ports.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { buy, report, ticketsOf, visitWhile } from './crowd.ts'
import { composed, untilUp } from './engine.ts'

/**
 * `bun run check:compose`: runs compose.yaml in real containers, with secrets from files and a chain of its
 * own: buys through the web server, scales, kills, replaces services one by one, and restarts with the data.
 * Takes some minutes and removes its containers, networks and volumes; the images stay.
 */
const [webPort, tlsPort, rpcPort] = [await freePort(), await freePort(), await freePort()]
const secretsDir = mkdtempSync(join(tmpdir(), 'blockdraw-secrets-'))
chmodSync(secretsDir, 0o755)
for (const [name, value] of Object.entries({
  ...Object.fromEntries(
    ['postgres', 'owner', 'api', 'worker', 'backup'].map((login) => [
      `${login}_password`,
      `p:${randomBytes(12).toString('base64')}@/`, // characters that break a URL
    ]),
  ),
  anchor_key: '',
  admin_password: randomBytes(12).toString('hex'),
  secret_key: randomBytes(32).toString('hex'),
  rpc_urls: 'http://chain:8545',
  redis_password: randomBytes(12).toString('base64'),
  backup_url: 'none',
}))
  writeFileSync(join(secretsDir, name), `${value}\n`, { mode: 0o644 })

const env = {
  ...{ WEB_PORT: `${webPort}`, WEB_TLS_PORT: `${tlsPort}`, RPC_PORT: `${rpcPort}`, SECRETS_DIR: secretsDir },
  ...{ OPERATOR_WALLET: operatorAccount, LOG_LEVEL: 'info' },
}
const files = ['compose.yaml', 'infra/docker/secrets.yaml', 'infra/docker/check.yaml']
const project = `blockdraw-check-${process.pid}`
const envFile = join(secretsDir, 'env')
writeFileSync(envFile, '')
const plain = composed({ project, files, env, envFile })
// From here on the web server trusts us like a CDN, so that we can act as many visitors.
const behindCdn = composed({ project, files, envFile, env: { ...env, CDN_PROXIES: '0.0.0.0/0' } })
const siteUrl = `http://127.0.0.1:${webPort}`
const place = { siteUrl, rpcUrl: `http://127.0.0.1:${rpcPort}` }
const began = performance.now()

let isLeaving = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // Cleans up before it exits, however many signals arrive.
    if (isLeaving) return
    isLeaving = true
    void cleanUp().then(() => process.exit(130))
  })
try {
  await check()
} catch (error) {
  process.exitCode = 1
  if (isLeaving) await new Promise(() => undefined) // the signal handler exits
  console.error(error)
  console.error(await plain.compose('logs', '--tail=25').catch(String))
  const web = await plain.compose('logs', 'web').catch(String)
  const complaints = web.split('\n').filter((line) => line.includes('"level":"error"'))
  console.error(`The web server's complaints:\n${complaints.slice(-20).join('\n')}`)
} finally {
  await cleanUp()
}

async function check(): Promise<void> {
  if (!process.argv.includes('--no-build')) {
    await plain.compose('build')
    say('images are built')
  }
  await plain.compose('up', '-d', '--scale', 'api=2', '--scale', 'worker=1')
  await ready(plain)
  const logins = `select string_agg(distinct usename, ' ' order by usename) from pg_stat_activity
    where datname = 'blockdraw' and backend_type = 'client backend' and pid <> pg_backend_pid()`
  const connected = await psql('blockdraw', logins)
  expect(connected === 'blockdraw_api blockdraw_worker', `logged in to Postgres: ${connected}`)
  say('up, with 2 api and 1 worker, each with its own login')

  await expectHeaders()
  const stream = holdStream(25)
  const first = await buy(place, 1, 99)
  expect(first.tickets === 33, `99 USDT made ${first.tickets} tickets`)
  say(`bought through the web server, tickets ${first.seconds.toFixed(1)} s after the payment`)
  await report(siteUrl, `0x${'ab'.repeat(32)}`, '6.6.6.6')
  expect(!(await claimAddress('ab')).startsWith('6.6.6.6'), 'a forged X-Forwarded-For was believed')
  say(`a stream through the web server: ${await stream} events in 25 s, not cut`)

  await behindCdn.compose('up', '-d', '--no-build', '--scale', 'api=2', '--scale', 'worker=4')
  await ready(behindCdn)
  await report(siteUrl, `0x${'cd'.repeat(32)}`, '6.6.6.6, 198.51.100.7')
  expect((await claimAddress('cd')) === '198.51.100.7', 'the address that the CDN tells was not believed')
  const [victim = ''] = await behindCdn.containers('worker')
  const buyers = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((account) => buyThrice(account)))
  buyers.catch(() => undefined) // awaited below
  await Bun.sleep(1_000)
  await behindCdn.kill(victim)
  const bought = (await buyers).flat()
  const slowest = Math.max(...bought.map(({ seconds }) => seconds))
  say(`4 workers, one killed in mid-load: ${bought.length} purchases, slowest ${slowest.toFixed(1)} s`)

  const { tally } = await visitWhile(siteUrl, [first.hash, ...bought.map(({ hash }) => hash)], async () => {
    for (const id of await behindCdn.containers('api')) await behindCdn.restart(id)
  })
  const { posts, failedPosts, gets, failedGets, slowestMs } = tally
  say(
    `api replaced one by one: ${posts} POSTs, ${failedPosts.length} failed, slowest ${Math.round(slowestMs)} ms; ${gets} GETs, ${failedGets.length} failed`,
  )
  expect(failedPosts.length === 0, `POSTs failed: ${[...new Set(failedPosts)]}`)
  expect(failedGets.length === 0, `GETs failed: ${[...new Set(failedGets)]}`)

  const list = await fetch(`${siteUrl}/api/tickets/export/excel`)
  const magic = new TextDecoder().decode((await list.bytes()).slice(0, 2))
  expect(list.ok && magic === 'PK', `the ticket list is no workbook: ${list.status}`)

  const restored = await restoreElsewhere()
  say(`kept and restored into another database: ${restored}`)

  const before = await stats()
  await behindCdn.compose('down')
  await plain.compose('up', '-d', '--no-build', '--scale', 'api=2', '--scale', 'worker=4')
  await ready(plain)
  expect((await stats()) === before, 'after down and up the page shows something else')
  const again = await buy(place, 2, 3)
  expect((await ticketsOf(siteUrl, first.hash)) === 33, 'the first purchase is gone')
  say(`down and up again: the data is there, bought again in ${again.seconds.toFixed(1)} s`)
}

/** One after the other: the transactions of one wallet have consecutive nonces. */
async function buyThrice(account: number) {
  return [await buy(place, account, 3), await buy(place, account, 3), await buy(place, account, 3)]
}

async function ready(stack: typeof plain): Promise<void> {
  for (const service of ['postgres', 'redis', 'api', 'worker', 'web']) await stack.healthy(service)
  await untilUp(() => rpc(place.rpcUrl, 'eth_chainId'), 'the chain answers')
  await untilUp(
    async () => (await fetch(`${siteUrl}/api/ready`)).ok,
    'the api is ready through the web server',
  )
}

async function stats(): Promise<string> {
  return (await fetch(`${siteUrl}/api/raffle/stats`)).text()
}

async function expectHeaders(): Promise<void> {
  const page = await fetch(siteUrl)
  const html = await page.text()
  expect(page.ok && html.includes('<html'), 'the page is not served')
  expect(page.headers.get('x-frame-options') === 'DENY', 'the page may be framed')
  expect(page.headers.get('cache-control') === 'no-cache', 'the page may be cached')
  const asset = /\/_astro\/[^"']+\.(?:css|js)/.exec(html)?.[0]
  const cached = await fetch(siteUrl + asset)
  expect(cached.ok && /immutable/.test(cached.headers.get('cache-control') ?? ''), 'assets are not cached')
  const missing = await fetch(`${siteUrl}/nothing`)
  expect(missing.status === 404 && (await missing.text()).includes('<html'), 'there is no page for 404')
  for (const path of ['/_headers', '/.git/config', '/metrics', '/_astro/'])
    expect((await fetch(siteUrl + path)).status === 404, `${path} is served`)
}

/** Events received in that many seconds; throws when the stream ends earlier. */
async function holdStream(seconds: number): Promise<number> {
  const response = await fetch(`${siteUrl}/api/live`)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let events = 0
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    const { done, value } = await reader.read()
    if (done) throw new Error('The stream through the web server was cut.')
    events += new TextDecoder().decode(value).split('\n\n').length - 1
  }
  await reader.cancel()
  return events
}

/** The client address that the api stored for this hash. */
async function claimAddress(pair: string): Promise<string> {
  const query = `select client_address from claims where transaction_hash = '0x${pair.repeat(32)}'`
  return psql('blockdraw', query)
}

/** The commands of the runbook, in the running containers. */
async function restoreElsewhere(): Promise<string> {
  const file = '/data/uploads/check.backup.gz'
  const url = 'postgres://postgres:5432/restored'
  const inApi = (...command: string[]) => plain.compose('exec', '-T', 'api', 'bun', ...command)
  await inApi('backup.js', file)
  await psql('blockdraw', 'create database restored owner blockdraw_owner')
  const uploads = ['-v', `${project}_uploads:/data/uploads:ro`]
  await plain.compose(
    'run',
    '--rm',
    '-T',
    ...uploads,
    '-e',
    `DATABASE_URL=${url}`,
    'migrate',
    'bun',
    'restore.js',
    file,
  )
  const sums = `select count(*) || ' payments, ' || md5(string_agg(payments::text, ' ' order by id)) from payments`
  const [kept, back] = [await psql('blockdraw', sums), await psql('restored', sums)]
  expect(kept === back, `restored: ${back} instead of ${kept}`)
  expect(/one-time password/.test(await inApi('admin.js', 'create', 'second')), 'no administrator was made')
  return back
}

async function psql(database: string, query: string): Promise<string> {
  const command = ['psql', '-U', 'blockdraw', '-d', database, '-tAc', query]
  return (await plain.compose('exec', '-T', 'postgres', ...command)).trim()
}

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

function say(what: string): void {
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}`)
}

async function cleanUp(): Promise<void> {
  // A container that is being restarted can refuse to stop.
  for (let left = 3; left > 0; left--)
    try {
      await plain.compose('down', '-v', '--remove-orphans', '-t', '10')
      break
    } catch (error) {
      if (left === 1) console.error(error)
    }
  rmSync(secretsDir, { recursive: true, force: true })
}
