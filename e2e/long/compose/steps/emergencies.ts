import { codeOf, commandsOf, openCheckout } from '../checkout.ts'
import { buy } from '../crowd.ts'
import { untilUp } from '../engine.ts'
import { expect, type Stack } from '../stack.ts'

/** What the runbook tells to type when something is gone, typed while it is gone; then the sale goes on. */
export async function survivesEmergencies(stack: Stack): Promise<string> {
  const { type } = await openCheckout(stack)
  await stack.trust(false)
  const sells = () => buy(stack.place, 7, 3)

  // Break-glass, for an administrator of that name.
  await type('docker compose exec -T api bun admin.js create owner')
  for (const command of codeOf('trouble', 'Break-glass', /admin\.js (reset|allow)/))
    await type(onTerminal(command))
  const rows = `select count(*) from audit where actor like '%@%'` // a user of the host
  expect(Number(await stack.psql('blockdraw', rows)) >= 3, 'break-glass left no audit rows')

  // One of two hangs: pages have their streams all the same, and go on while it is started again.
  const [hung = '', other] = await stack.plain.containers('api')
  expect(other, 'there is one api alone')
  await stack.plain.freeze(hung)
  for (let stream = 0; stream < 4; stream++) await expectStream(stack.siteUrl)
  await type((codeOf('alerts', 'One message a day', /^docker restart/)[0] as string).replace('NAME', hung))
  await stack.ready()
  await sells()

  for (const [service, page, section] of [
    ['worker', 'trouble', 'RPC down'],
    ['redis', 'alerts', 'One message a day'],
    ['api', 'alerts', 'Eight that wake somebody'],
    ['postgres', 'trouble', 'Disk full'],
  ] as const) {
    for (const id of await stack.plain.containers(service)) await stack.plain.kill(id)
    const wanted = service === 'postgres' ? /up -d$/ : new RegExp(`up -d ${service}$`)
    await type(codeOf(page, section, wanted)[0] as string)
    await stack.ready()
    await sells()
  }

  await type(codeOf('keys', 'Leaked SECRET_KEY, database or endpoint key', /up -d api worker$/)[0] as string)
  // A key for anchors, and a sale that is paused and goes on.
  const [key = ''] = codeOf('keys', 'The anchor key', /randomBytes/)
  expect(/^0x[0-9a-f]{64}$/m.test(await type(key.replace(' run ', ' run -T '))), 'no key was made')
  const [pause = ''] = codeOf('keys', 'Wallet key lost or stolen', /^SALES_PAUSED/)
  const [renew = ''] = codeOf('keys', 'Wallet key lost or stolen', /up -d api worker/)
  for (const [line, isPaused] of [
    [pause, true],
    ['', false],
  ] as const) {
    await type(`echo '${line}' > .env && ${renew}`)
    await stack.ready()
    const { salesPaused } = (await (await fetch(`${stack.siteUrl}/api/raffle/config`)).json()) as Config
    expect(salesPaused === isPaused, `salesPaused is ${salesPaused} after ${line || 'an empty .env'}`)
  }

  return 'emergencies: worker, Redis, api and Postgres killed and started as the runbook says, one api that hung too'
}

async function expectStream(siteUrl: string): Promise<void> {
  const leave = new AbortController()
  const answer = await fetch(`${siteUrl}/api/live`, {
    signal: AbortSignal.any([leave.signal, AbortSignal.timeout(20_000)]),
  })
  const first = await answer.body?.getReader().read()
  expect(answer.ok && first?.value, `no stream beside an api that hangs: ${answer.status}`)
  leave.abort()
}

type Config = { salesPaused: boolean }

/** A person has a terminal, this program has none. */
const onTerminal = (command: string): string => command.replace('compose exec ', 'compose exec -T ')

/** A backup is made and tried; the runbook's commands put it in place, and what was paid since is read from the chain. */
export async function keepsAndRestores(stack: Stack): Promise<string> {
  const { type } = await openCheckout(stack)
  const isKept = async () =>
    (await stack.plain.compose('exec', '-T', 'backup', 'sh', '-c', 'backup healthy && echo yes')) !== ''
  await untilUp(isKept, 'a backup was made and tried')
  const before = (await buy(stack.place, 8, 3)).hash
  const made = await type('docker compose exec -T backup backup once')
  const rows = /made: (\d+) rows/.exec(made)?.[1]
  expect(rows, `no backup was made: ${made}`)
  const sums = `select count(*) || ' payments, ' || md5(string_agg(concat(transaction_hash, ticket_number), ' ' order by transaction_hash, ticket_number)) from payments`
  const lost = await buy(stack.place, 8, 3) // after the backup: the chain has it
  const was = await stack.psql('blockdraw', sums)
  let told = ''
  for (const command of commandsOf('backup', 'Where the old one is still there it is set aside:'))
    told += await type(
      command
        .replace('compose exec ', 'compose exec -T ')
        .replace('run --rm restore', 'run --rm -T restore')
        .replace(/run --rm (migrate .*after-restore)$/, 'run --rm -T $1 --confirm'),
    )
  expect(
    told.includes(`is paid to ${stack.env.OPERATOR_WALLET}`.toLowerCase()) || /is paid to 0x/.test(told),
    `restore told no wallet: ${told}`,
  )
  await stack.ready()
  await untilUp(async () => (await stack.psql('blockdraw', sums)) === was, `${was} after the restore`)
  stack.bought.push(before, lost.hash)
  return `backup: ${rows} rows were kept and tried; restored in place, and what was paid since is back: ${was}`
}
