import { parseArgs } from 'node:util'
import { bscChainId, usdtOnBsc } from '../../core/chain/usdt.ts'
import { RaffleError } from '../../core/errors.ts'
import { MalformedError, SiteError } from './watch/site.ts'
import { createWatcher } from './watch/watcher.ts'

/** EX_USAGE of `sysexits.h`. */
const couldNotBegin = 64
const lookEveryMs = 5_000
/** An alarm that stays the same is told again now and then. */
const alarmAgainMs = 60_000

const usage = `Rebuilds the ledger of a site's open event from the chain, and says so when the site tells another one.
Runs on a host of its own, with endpoints of its own, and writes nothing.

  bun run watch --site https://raffle.example --rpc https://bsc.example[,https://other.example]

  --once       one answer, then the end
  --tolerance   seconds that the site may be ahead of these endpoints or behind them (60)
  Where tickets are not paid in USDT (${usdtOnBsc}) on chain ${bscChainId}:
  --chain 97 --token 0x…

Alarms go to the standard error. Exit code with --once: 0 the site agrees with the chain, 1 it does not, 2 one of
them could not be read, ${couldNotBegin} bad options. Without it the command runs until it is stopped.`

type Output = { print: (line: string) => void; alarm: (line: string) => void }

/** `bun run watch`: see the usage. */
export async function watchCommand(args: readonly string[], { print, alarm }: Output): Promise<number> {
  let input: ReturnType<typeof readInput>
  try {
    input = readInput(args)
  } catch (error) {
    alarm(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    return couldNotBegin
  }
  const look = createWatcher(input)
  let told = { line: '', at: 0 }
  const tell = (kind: string, line: string) => {
    const now = performance.now()
    const isAlarm = kind === 'differs' || kind === 'malformed'
    if (line === told.line && (!isAlarm || now - told.at < alarmAgainMs)) return
    told = { line, at: now }
    if (isAlarm) alarm(`ALARM ${new Date().toISOString()} ${harmless(line)}`)
    else print(`${kind}: ${harmless(line)}`)
  }
  let giveUpAt: number | undefined
  for (;;) {
    const verdict = await look().catch(unread)
    tell(verdict.kind, verdict.text)
    // The first look may read days of blocks.
    giveUpAt ??= performance.now() + 2 * input.toleranceMs
    if (input.once) {
      if (verdict.kind === 'agrees') return 0
      if (verdict.kind === 'differs') return 1
      if (verdict.kind !== 'waits' || performance.now() > giveUpAt) return 2
    }
    await Bun.sleep(Math.min(lookEveryMs, input.toleranceMs / 4))
  }
}

/**
 * An outage of the site or of an endpoint is no lie. An answer that no site or node gives alarms, and the watch goes on:
 * else whoever is watched could end it.
 */
function unread(error: unknown): { kind: 'unread' | 'malformed'; text: string } {
  const isOutage =
    (error instanceof SiteError && !(error instanceof MalformedError)) || error instanceof RaffleError
  const text = error instanceof Error ? error.message : `${error}`
  return isOutage
    ? { kind: 'unread', text }
    : { kind: 'malformed', text: `an answer cannot be read: ${text}` }
}

/** Replaces control characters in texts of a site, as they could forge a line on the terminal. */
const harmless = (line: string): string => line.replace(/[\p{C}\u2028\u2029]/gu, '\uFFFD')

function readInput(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      site: { type: 'string' },
      rpc: { type: 'string' },
      once: { type: 'boolean', default: false },
      tolerance: { type: 'string', default: '60' },
      chain: { type: 'string', default: `${bscChainId}` },
      token: { type: 'string' },
    },
    strict: true,
  })
  const { site, rpc, once } = values
  if (!site || !rpc) throw new Error('Name a site and an endpoint of the chain.')
  const tolerance = Number(values.tolerance)
  if (!(tolerance > 0)) throw new Error('--tolerance is a number of seconds such as 60.')
  const chainId = Number(values.chain)
  if (!Number.isSafeInteger(chainId) || chainId <= 0) throw new Error('--chain is a number such as 97.')
  if (chainId !== bscChainId && !values.token)
    throw new Error(`Name the token of chain ${chainId} too, with --token.`)
  const token = (values.token ?? usdtOnBsc).toLowerCase()
  if (!/^0x[0-9a-f]{40}$/.test(token)) throw new Error('--token is no address.')
  return {
    ...{ once, chainId, toleranceMs: tolerance * 1000 },
    site: new URL(site).origin,
    rpcs: rpc.split(',').map((url) => new URL(url.trim()).href),
    token: token as `0x${string}`,
  }
}

if (import.meta.main)
  process.exit(await watchCommand(process.argv.slice(2), { print: console.log, alarm: console.error }))
