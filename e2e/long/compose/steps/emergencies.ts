import { openCheckout } from '../checkout.ts'
import { buy } from '../crowd.ts'
import { untilUp } from '../engine.ts'
import { codeOf, commandsOf } from '../runbook.ts'
import { expect, type Stack } from '../stack.ts'

/** What the runbook tells to type when something is gone, typed while it is gone; then the sale goes on. */
export async function survivesEmergencies(stack: Stack): Promise<string> {
  const { type } = await openCheckout(stack)
  await stack.trust(false)
  const stats = JSON.parse(await stack.stats()) as { ticketsSold: number }
  let bought = stats.ticketsSold
  const sells = async () => {
    bought += (await buy(stack.place, 7, 3)).tickets
  }

  // Break-glass, for an administrator of that name.
  await type('docker compose exec -T api bun admin.js create owner')
  for (const command of codeOf('Every day', /admin\.js (reset|allow)/)) await type(onTerminal(command))
  const rows = `select count(*) from audit where actor like '%@%'` // a user of the host
  expect(Number(await stack.psql('blockdraw', rows)) >= 3, 'break-glass left no audit rows')

  // One of two hangs: pages have their streams all the same, and go on while it is started again.
  const [hung = '', other] = await stack.plain.containers('api')
  expect(other, 'there is one api alone')
  await stack.plain.freeze(hung)
  for (let stream = 0; stream < 4; stream++) await expectStream(stack.siteUrl)
  await type((codeOf('Alerts', /^docker restart/)[0] as string).replace('NAME', hung))
  await stack.ready()
  await sells()

  for (const [service, section] of [
    ['worker', 'RPC down'],
    ['redis', 'Alerts'],
    ['api', 'Alerts'],
    ['postgres', 'Disk full'],
  ] as const) {
    for (const id of await stack.plain.containers(service)) await stack.plain.kill(id)
    const wanted = service === 'postgres' ? /up -d$/ : new RegExp(`up -d ${service}$`)
    await type(codeOf(section, wanted)[0] as string)
    await stack.ready()
    await sells()
  }

  await type(codeOf('Leaked SECRET_KEY, database or endpoint key', /up -d api worker$/)[0] as string)
  // Looking, a key for anchors, and a sale that is paused and goes on.
  for (const section of ['Every day', 'Alerts'])
    for (const command of codeOf(section, /^docker compose (ps|logs|up migrate)/)) await type(command)
  const [key = ''] = codeOf('The anchor key', /randomBytes/)
  expect(/^0x[0-9a-f]{64}$/m.test(await type(key.replace(' run ', ' run -T '))), 'no key was made')
  const [pause = ''] = codeOf('Wallet key lost or stolen', /^SALES_PAUSED/)
  const [renew = ''] = codeOf('Wallet key lost or stolen', /up -d api worker/)
  for (const [line, isPaused] of [
    [pause, true],
    ['', false],
  ] as const) {
    await type(`echo '${line}' > .env && ${renew}`)
    await stack.ready()
    const { salesPaused } = (await (await fetch(`${stack.siteUrl}/api/raffle/config`)).json()) as Config
    expect(salesPaused === isPaused, `salesPaused is ${salesPaused} after ${line || 'an empty .env'}`)
  }

  // A backup is made and restored in the place of the database that it is of.
  const [make = ''] = codeOf('Backup and restore', /bun backup\.js/)
  await type(make.replace(/> .*/, '> kept.backup.gz'))
  const lost = await buy(stack.place, 8, 3) // after the backup: the chain has it
  await type(
    opensByAge
      ? `cp ${stack.keyFile} key.txt && age -r ${stack.env.BACKUP_AGE_RECIPIENT} -o kept.backup.gz.age kept.backup.gz`
      : 'cp kept.backup.gz kept.backup.gz.age',
  )
  for (const command of commandsOf('To restore, into a new and empty database:'))
    await type(
      onTerminal(
        command.replace(/blockdraw-….*?age/, 'kept.backup.gz.age').replace(/^age -d -i \S+/, opener),
      ),
    )
  await stack.ready()
  await type('docker compose run --rm -T migrate bun admin.js after-restore --confirm')
  const { tickets } = await buy(stack.place, 8, 3)
  // The page shows it a moment after the row is there.
  let after = 0
  await untilUp(async () => {
    after = (JSON.parse(await stack.stats()) as typeof stats).ticketsSold
    return after === bought + lost.tickets + tickets
  }, `${bought} + ${lost.tickets} + ${tickets} tickets after the restore`).catch((error) => {
    throw new Error(`${error}; there are ${after}`)
  })
  return `emergencies: worker, Redis, api and Postgres killed and started as the runbook says, one api that hung too, restored in place${opensByAge ? ' by age' : ', unencrypted as age is not installed,'} with what was paid after the backup`
}

/** Debian's package; without it the text goes unencrypted. */
const opensByAge = Bun.which('age') !== null
const opener = opensByAge ? 'age -d -i key.txt' : 'cat'

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
