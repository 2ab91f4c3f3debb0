import { admin, openAdminApi } from './lib/admin-api.ts'
import { judged, median, printTable } from './lib/figures.ts'

const goal = 0.05
const warmUp = 20

/**
 * Whether the time of a refused login reveals who has an account (A3 in docs/threats.md): wrong passwords for
 * the administrator, twice, and for unknown names, in turn, one at a time:
 * `bun run bench login-time [samples]`. The administrator's two medians show the difference by chance alone.
 */
export async function bench([samples = '500']: string[]): Promise<void> {
  const adminApi = await openAdminApi()
  const api = await adminApi.startApi(null)
  let asked = 0

  async function refusedIn(username: string): Promise<number> {
    // Else later logins to the account would be slowed down, known or not.
    await adminApi.sql`truncate login_failures`
    const address = `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`
    asked++
    const from = performance.now()
    const response = await fetch(`${api.url}/api/admin/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ username, password: 'not the password' }),
    })
    await response.text()
    if (response.status !== 401) throw new Error(`The login answered ${response.status}.`)
    return performance.now() - from
  }

  const kinds = {
    'a known name': () => admin.username,
    'the same again': () => admin.username,
    'a name nobody has': () => `nobody${asked}`,
  }
  const times = Object.values(kinds).map((): number[] => [])
  for (let round = -warmUp; round < Number(samples); round++)
    for (const [index, nameOf] of Object.values(kinds).entries()) {
      const ms = await refusedIn(nameOf())
      if (round >= 0) times[index]?.push(ms)
    }
  await api.stop()
  await adminApi.close()

  const [known = Number.NaN, ...others] = times.map(median)
  console.log(`${samples} refused logins of each kind, in turn`)
  printTable(
    Object.keys(kinds).map((kind, index) => ({
      'wrong password for': kind,
      'median ms': median(times[index] ?? []).toFixed(2),
      'x a known name': index === 0 ? '' : ((others[index - 1] ?? Number.NaN) / known).toFixed(3),
      goal: index === 2 ? judged(Math.abs((others[1] ?? 0) / known - 1) <= goal, 'within 5 %') : '',
    })),
  )
}
