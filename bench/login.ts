import { join } from 'node:path'
import { openAdminApi } from './lib/admin-api.ts'
import { judged, median, printTable, spread } from './lib/figures.ts'
import { load as fullLoad, type Load, loaderName } from './lib/load.ts'
import { pinned } from './lib/pinned.ts'

type Round = Omit<Load, 'rps'> & { longestMs: number; longestOwnMs: number; logins?: Logins }
type Name = keyof typeof names
type Logins = { sent: number; in: number; refused: number; other: number }

const rate = 500
const names = {
  alone: 'alone',
  counting: 'two programs that only count beside',
  bare: 'a bare server, 200 calls at once at it',
  beside: '200 logins at once at another process',
  attacked: '200 logins at once at this one',
}
type Full = { alone: number; attacked: number }
const lib = (name: string) => join(import.meta.dirname, 'lib', name)
const chrt = Bun.which('chrt')
/** In reality the load comes from other machines, so these priorities keep loaders and server apart. */
const first = chrt && Bun.spawnSync([chrt, '-r', '1', 'true']).success ? [chrt, '-r', '1'] : []
const last = chrt ? [chrt, '-i', '0'] : []

/**
 * A public call at 500 a second: alone; during repeated waves of 200 logins at once, from as many addresses,
 * at another API process on this machine and at the same one; beside two programs that only count, which
 * shows the scheduler's share; and at a bare server that refuses such waves, which is the floor of an attack:
 * `bun run bench login [rounds] [seconds]`. Then the same call as in `bench http`, with 64 connections at
 * full speed, alone and attacked. The API is not pinned: passwords are compared on threads beside the event
 * loop, which a single core would not show.
 */
export async function bench([rounds = '5', seconds = '3']: string[]): Promise<void> {
  const adminApi = await openAdminApi()
  const [api, other] = await Promise.all([adminApi.startApi(null), adminApi.startApi(null)])
  const bareServer = pinned(null, [process.execPath, lib('bare-login.ts')])
  const bareUrl = `http://127.0.0.1:${(await bareServer.next<{ port: number }>()).port}`
  const load = (url: string) => {
    const command = [process.execPath, lib('paced-load.ts'), `${url}/api/raffle/config`, `${rate}`, seconds]
    return pinned(null, [...first, ...command]).next<Omit<Load, 'rps'>>()
  }
  const sendWaves = (target: string) =>
    pinned(null, [...last, process.execPath, lib('login-waves.ts'), target, '200', seconds])
  const attack = async (target: string, asked = target): Promise<Round> => {
    await api.seen()
    const waves = sendWaves(target)
    const during = await load(asked)
    return { ...during, ...(await api.seen()), logins: await waves.next<Logins>() }
  }
  const fullP99 = async () => (await fullLoad(`${api.url}/api/raffle/config`, Number(seconds))).p99
  const found: Record<Name, Round>[] = []
  const full: Full[] = []
  for (let round = 0; round <= Number(rounds); round++) {
    await api.seen()
    const alone = { ...(await load(api.url)), ...(await api.seen()) }
    const idlers = [0, 1].map(() => pinned(null, [process.execPath, '-e', 'for (;;);']))
    const counting = { ...(await load(api.url)), ...(await api.seen()) }
    await Promise.all(idlers.map((program) => program.stop()))
    const bare = await attack(bareUrl)
    const beside = await attack(other.url, api.url)
    const attacked = await attack(api.url)
    const fullAlone = await fullP99()
    const waves = sendWaves(api.url)
    const fullAttacked = await fullP99()
    await waves.next<Logins>()
    // The first round only warms up.
    if (round === 0) continue
    found.push({ alone, counting, bare, beside, attacked })
    full.push({ alone: fullAlone, attacked: fullAttacked })
  }
  await Promise.all([api.stop(), other.stop(), bareServer.stop()])
  await adminApi.close()

  const ratio = (to: Name) => found.map((round) => round.attacked.p99 / round[to].p99)
  // Compares medians: one disturbed round alone must not improve the ratio.
  const times =
    median(found.map(({ attacked }) => attacked.p99)) / median(found.map(({ alone }) => alone.p99))
  const stops = found.map(({ attacked }) => attacked.longestMs)
  const sum = (name: keyof Logins) =>
    found.reduce((all, { attacked }) => all + (attacked.logins?.[name] ?? 0), 0)
  console.log(`${rate} public calls a second, ${seconds} s x ${rounds}; median (range)`)
  printTable(
    (Object.keys(names) as Name[]).map((name) => ({
      'public call': names[name],
      'p50 ms': median(found.map((round) => round[name].p50)).toFixed(2),
      'p99 ms': spread(found.map((round) => round[name].p99)),
      'longest stop ms': spread(
        found.map((round) => round[name].longestMs),
        0,
      ),
      'without waiting for a core': spread(
        found.map((round) => round[name].longestOwnMs),
        0,
      ),
      'attacked p99 x this': name === 'attacked' ? '' : spread(ratio(name)),
      goal: goalOf(name),
    })),
  )
  console.log(
    `${sum('sent')} logins: ${sum('in')} came in, ${sum('refused')} were told to wait, ${sum('other')} else.`,
  )

  const fullTimes = median(full.map(({ attacked }) => attacked)) / median(full.map(({ alone }) => alone))
  console.log(`\n${loaderName}, as fast as it goes`)
  printTable([
    { 'public call': names.alone, 'p99 ms': spread(full.map(({ alone }) => alone)) },
    {
      'public call': names.attacked,
      'p99 ms': spread(full.map(({ attacked }) => attacked)),
      'x alone': fullTimes.toFixed(2),
      goal: judged(fullTimes <= 2, 'p99 x <= 2'),
    },
  ])

  function goalOf(name: Name): string {
    if (name === 'attacked') return judged(median(stops) < 50, 'stop < 50 ms')
    return name === 'alone' ? judged(times <= 2, `p99 x ${times.toFixed(2)} <= 2`) : ''
  }
}
