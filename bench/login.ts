import { join } from 'node:path'
import { judged, median, printTable, spread } from './lib/figures.ts'
import { openOffice } from './lib/office.ts'
import { pinned } from './lib/pinned.ts'

type Load = { p50: number; p99: number }
type Round = Load & { longestMs: number; longestOwnMs: number; logins?: Logins }
type Logins = { sent: number; in: number; refused: number; other: number }

const rate = 500
const lib = (name: string) => join(import.meta.dirname, 'lib', name)

/**
 * A public call at 500 a second, alone and while 200 logins at once come in again and again, from as many
 * addresses, at the same process: `bun run bench login [rounds] [seconds]`. Nothing is pinned: passwords are
 * compared on threads beside the event loop, which a single core would not show.
 */
export async function bench([rounds = '5', seconds = '3']: string[]): Promise<void> {
  const office = await openOffice()
  const api = await office.startApi(null)
  const url = `${api.url}/api/raffle/config`
  const load = () =>
    pinned(null, [process.execPath, lib('paced-load.ts'), url, `${rate}`, seconds]).next<Load>()
  const found: { alone: Round; attacked: Round }[] = []
  for (let round = 0; round <= Number(rounds); round++) {
    await api.seen()
    const alone = { ...(await load()), ...(await api.seen()) }
    const waves = pinned(null, [process.execPath, lib('login-waves.ts'), api.url, '200', seconds])
    const during = await load()
    const attacked = { ...during, ...(await api.seen()), logins: await waves.next<Logins>() }
    // The first round only warms up.
    if (round > 0) found.push({ alone, attacked })
  }
  await api.stop()
  await office.close()

  const ratio = found.map(({ alone, attacked }) => attacked.p99 / alone.p99)
  const stops = found.map(({ attacked }) => attacked.longestMs)
  const sum = (name: keyof Logins) =>
    found.reduce((all, { attacked }) => all + (attacked.logins?.[name] ?? 0), 0)
  console.log(`${rate} public calls a second, ${seconds} s x ${rounds}; median (range)`)
  printTable(
    (['alone', 'attacked'] as const).map((name) => ({
      'public call': name === 'alone' ? 'alone' : '200 logins at once',
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
      'p99 x alone': name === 'alone' ? '' : spread(ratio),
      goal: name === 'alone' ? '' : judged(median(ratio) <= 2 && median(stops) < 50, 'p99 <= 2, < 50 ms'),
    })),
  )
  console.log(
    `${sum('sent')} logins: ${sum('in')} came in, ${sum('refused')} were told to wait, ${sum('other')} else.`,
  )
}
