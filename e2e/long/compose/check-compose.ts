import { buy } from './crowd.ts'
import { expect, openStack, type Stack, say } from './stack.ts'
import { tellsTheReceiver } from './steps/alert.ts'
import { keepsAndRestores, survivesEmergencies } from './steps/emergencies.ts'
import { checksFiles } from './steps/files.ts'
import { replacesApis, replacesPages, rollsBack, upgrades } from './steps/replace.ts'
import { restartsWithItsData, sells, survivesAKilledWorker, takesIpv6 } from './steps/sale.ts'

/**
 * `bun run check:compose [STEP...]`: lets the programs that read our files judge them, then runs compose.yaml in real
 * containers, with a chain of its own. Without a step it begins with another release and does all
 * of them; with steps it starts this release and does those. `files` alone needs no container. Where an image cannot be had,
 * its variable names another one (PROMETHEUS_IMAGE). Removes its containers, networks and volumes; the images stay.
 */
const steps: Record<string, (stack: Stack) => Promise<string>> = {
  upgrade: upgrades,
  sale: sells,
  workers: survivesAKilledWorker,
  api: replacesApis,
  pages: replacesPages,
  backup: keepsAndRestores,
  alert: tellsTheReceiver,
  ipv6: takesIpv6,
  emergencies: survivesEmergencies,
  rollback: rollsBack,
  restart: restartsWithItsData,
}
const named = process.argv.slice(2)
const unknown = named.find((name) => name !== 'files' && !steps[name])
if (unknown) {
  console.error(`There is no step ${unknown}: files, ${Object.keys(steps).join(', ')}`)
  process.exit(2)
}
const inContainers = named.length ? named.filter((name) => name !== 'files') : Object.keys(steps)
say(await checksFiles())
if (inContainers.length === 0) process.exit(0)
const stack = await openStack()

let isLeaving = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // Cleans up before it exits, however many signals arrive.
    if (isLeaving) return
    isLeaving = true
    void stack.close().then(() => process.exit(130))
  })
try {
  // The upgrade begins with the older release.
  if (inContainers[0] !== 'upgrade') await start()
  for (const name of inContainers) await tryStep(name)
} catch (error) {
  await tell(error)
} finally {
  await stack.close()
}

/** One that fails does not keep the others from being tried, but for the upgrade, without which nothing may run. */
async function tryStep(name: string): Promise<void> {
  try {
    say(await (steps[name] as (typeof steps)[string])(stack))
  } catch (error) {
    if (isLeaving || name === 'upgrade') throw error
    say(`${name} FAILED`)
    await tell(error)
  }
}

async function tell(error: unknown): Promise<void> {
  process.exitCode = 1
  if (isLeaving) await new Promise(() => undefined) // the signal handler exits
  console.error(error)
  console.error(await stack.plain.compose('logs', '--tail=25').catch(String))
}

/** This release from the working tree, as somebody who has never had another. */
async function start(): Promise<void> {
  await stack.plain.compose('build', 'migrate', 'web', 'backup')
  say('images are built')
  await stack.plain.compose('up', '-d', '--scale', 'api=2', '--scale', 'worker=1')
  await stack.ready()
  stack.bought.push((await buy(stack.place, 9, 3)).hash)
  const connected = await ownLogins(stack)
  say(`up, with 2 api and 1 worker, each with its own login: ${connected}`)
}

/** Who is logged in to Postgres; throws when a program is the superuser. */
async function ownLogins({ psql }: Stack): Promise<string> {
  const logins = `select string_agg(distinct usename, ' ' order by usename) from pg_stat_activity
    where datname = 'blockdraw' and backend_type = 'client backend' and pid <> pg_backend_pid()`
  const connected = await psql('blockdraw', logins)
  expect(!/\bblockdraw\b/.test(connected), `logged in to Postgres: ${connected}`)
  return connected
}
