import { createReadStream, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseProof } from '../../core/draw/proof.ts'
import { parseCents, unitsOf } from '../../core/money.ts'
import { bscChainId, usdtOnBsc } from '../../core/usdt.ts'
import { readText, refuseLarge } from '../../core/verify/download.ts'
import {
  type KnownTerms,
  type Lack,
  type Rpc,
  uncheckedSteps,
  type Verdict,
  type VerifyInput,
  type VerifyResult,
  verdictOf,
  verifyDraw,
  verifySteps,
} from '../../core/verify/verify.ts'

/** As `sysexits.h` has it for wrong usage: far from the three verdicts. */
const couldNotBegin = 64

const usage = `Checks a finished draw, with nothing but public data.

  bun run verify --site https://raffle.example --event 1 --rpc https://bsc.example
  bun run verify --proof proof.json --ledger ledger.csv [--rpc https://bsc.example]

  --rpc        an endpoint of the chain that you trust; without it the files alone are checked
  --full       every payment and every block of the sale, not a random sample of a long list
  What you noted while tickets were sold, to be compared with the proof:
  --wallet 0x… --price 3 --sale-start DATE --sale-end DATE --draw-date DATE
  Where tickets were not paid in USDT (${usdtOnBsc}) on chain ${bscChainId}:
  --chain 97 --token 0x…

Exit code: 0 verified (every step was done, and passed), 1 contradicted (a step failed), 2 incomplete (nothing
contradicts the draw, but a step was not done, or for a part alone), ${couldNotBegin} nothing could be checked: bad options,
or no proof and list were there.`

const options = {
  site: { type: 'string' },
  event: { type: 'string' },
  rpc: { type: 'string' },
  proof: { type: 'string' },
  ledger: { type: 'string' },
  full: { type: 'boolean' },
  wallet: { type: 'string' },
  price: { type: 'string' },
  'sale-start': { type: 'string' },
  'sale-end': { type: 'string' },
  'draw-date': { type: 'string' },
  chain: { type: 'string' },
  token: { type: 'string' },
} as const

const exitCodes: Record<Verdict, number> = { verified: 0, contradicted: 1, incomplete: 2 }

/** `bun run verify`: the exit code tells the verdict. */
export async function verifyCommand(args: readonly string[], print: (line: string) => void): Promise<number> {
  if (args.includes('--help')) {
    print(usage)
    return couldNotBegin
  }
  let input: VerifyInput
  try {
    input = await readInput(args)
  } catch (error) {
    print(harmless(error instanceof Error ? error.message : String(error)))
    print(usage)
    return couldNotBegin
  }
  const results: VerifyResult[] = []
  for await (const event of verifyDraw(input)) {
    if (event.kind !== 'result') continue
    results.push(event)
    for (const line of linesOf(event)) print(line)
  }
  if (results.length > 1) print(`\nThe seed, in a shell:\n  ${shellCheck(input.proof)}`)
  const verdict = verdictOf(results)
  print('')
  for (const line of verdictLines(verdict, results)) print(line)
  return exitCodes[verdict]
}

const marks = { passed: 'ok  ', failed: 'FAIL', partial: 'part', unknown: '??  ', skipped: '-   ' }
const titles = new Map<string, string>(verifySteps)
const lacks: Record<Lack, string> = {
  logs: 'The endpoint serves no logs: another one may.',
  archive: 'The endpoint no longer has blocks as old as this sale: one with an archive has.',
}

function verdictLines(verdict: Verdict, results: readonly VerifyResult[]): string[] {
  if (verdict === 'verified') return [`Verified: all ${verifySteps.length} steps were done, and passed.`]
  if (verdict === 'contradicted')
    return [
      `Contradicted: ${results
        .filter(({ status }) => status === 'failed')
        .map(({ step }) => titles.get(step))
        .join('; ')}: not so, see above.`,
    ]
  const steps = uncheckedSteps(results)
  const were = steps.length === 1 ? 'was' : 'were'
  const missing = new Set(results.flatMap((result) => result.lacks ?? []))
  return [
    `Incomplete: nothing contradicts this draw, but ${steps.length} of ${verifySteps.length} steps ${were} not checked, or not in full:`,
    ...steps.map((step) => `  ${titles.get(step)}`),
    ...[...missing].map((lack) => lacks[lack]),
  ]
}

function linesOf({ step, status, text, expected, actual }: VerifyResult): string[] {
  const lines = [`${marks[status]} ${titles.get(step)}`, `       ${text}`]
  if (expected !== undefined) lines.push(`       expected ${expected}`, `       found    ${actual}`)
  return lines.map(harmless)
}

/** Files and endpoints are quoted: nothing of them may move the cursor and write a verdict of its own. */
const harmless = (line: string): string => line.replace(/[\p{C}\u2028\u2029]/gu, '\uFFFD')

/** The five hashes as raw bytes, hashed by tools that are not ours: it prints the first seed. */
export function shellCheck(proof: string): string {
  const hashes = parseProof(proof).blocks.map((block) => block.hash.slice(2))
  return `printf '%s' ${hashes.join('')} | xxd -r -p | sha256sum`
}

async function readInput(args: readonly string[]): Promise<VerifyInput> {
  const { values } = parseArgs({ args: [...args], options, strict: true })
  const event = values.event === undefined ? undefined : Number(values.event)
  if (event !== undefined && !/^[1-9]\d*$/.test(values.event ?? ''))
    throw new Error('--event is a number such as 1.')
  const known = { ...notedTerms(values), ...(event !== undefined && { eventNumber: event }) }
  const rpc = values.rpc ? httpRpc(values.rpc) : undefined
  const sample = values.full ? { sample: Number.MAX_SAFE_INTEGER, logCalls: Number.MAX_SAFE_INTEGER } : {}
  if (values.proof && values.ledger)
    return {
      proof: readFileSync(values.proof, 'utf8'),
      ledger: createReadStream(values.ledger),
      rpc,
      known,
      ...sample,
    }
  if (!values.site || event === undefined)
    throw new Error('Name a site and an event, or the files of a proof and a ledger.')
  const of = (what: string) =>
    get(`${new URL(values.site as string).origin}/api/raffle/${what}/${values.event}`)
  const [proof, ledger] = await Promise.all([of('proof'), of('ledger')])
  if (!ledger.body) throw new Error('The ledger is empty.')
  return {
    proof: await readText(proof),
    ledger: ledger.body,
    rpc,
    known,
    ...sample,
  }
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  refuseLarge(response)
  return response
}

function notedTerms(values: { [name in keyof typeof options]?: string | boolean | undefined }): KnownTerms {
  const date = (name: 'sale-start' | 'sale-end' | 'draw-date') => {
    const text = values[name]
    if (text === undefined) return undefined
    const moment = Date.parse(String(text))
    if (Number.isNaN(moment)) throw new Error(`--${name} is no date.`)
    return new Date(moment).toISOString()
  }
  const address = (name: 'wallet' | 'token') => {
    const text = values[name]
    if (text === undefined) return undefined
    if (!/^0x[0-9a-f]{40}$/i.test(String(text))) throw new Error(`--${name} is no address.`)
    return String(text).toLowerCase() as `0x${string}`
  }
  const chainId = values.chain === undefined ? undefined : Number(values.chain)
  if (chainId !== undefined && !(Number.isSafeInteger(chainId) && chainId > 0))
    throw new Error('--chain is a number such as 97.')
  if (chainId !== undefined && chainId !== bscChainId && values.token === undefined)
    throw new Error(`Name the token of chain ${chainId} too, with --token.`)
  const cents = values.price === undefined ? undefined : parseCents(String(values.price))
  if (values.price !== undefined && cents === undefined)
    throw new Error('--price is an amount such as 3 or 2.50.')
  const terms = {
    chainId,
    token: address('token'),
    operatorWallet: address('wallet'),
    ticketPrice: cents === undefined ? undefined : `${unitsOf(cents)}`,
    saleStart: date('sale-start'),
    saleEndDate: date('sale-end'),
    drawDate: date('draw-date'),
  }
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined))
}

const timeoutMs = 15_000
const attempts = 3

/** One call to an endpoint, tried again when the connection fails or it is asked too often; no message holds its URL. */
function httpRpc(url: string): Rpc {
  return async (method, params) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await callOnce(url, method, params)
      } catch (error) {
        const isRefusal = error instanceof Refusal
        if (isRefusal || attempt === attempts)
          throw isRefusal ? error : new Error(`${method} was not answered.`)
        await Bun.sleep(200 * attempt)
      }
    }
  }
}

class Refusal extends Error {}

async function callOnce(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: string } }
  if (error) throw new Refusal(`${method}: ${String(error.message).slice(0, 200)}`)
  return result
}

if (import.meta.main) process.exitCode = await verifyCommand(process.argv.slice(2), console.log)
