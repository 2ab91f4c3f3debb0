import { createReadStream, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseProof } from '../../core/draw/proof.ts'
import { parseCents, unitsOf } from '../../core/money.ts'
import {
  isVerified,
  type KnownTerms,
  type Rpc,
  type VerifyInput,
  type VerifyResult,
  verifyDraw,
  verifySteps,
} from '../../core/verify/verify.ts'

const usage = `Checks a finished draw, with nothing but public data.

  bun run verify --site https://raffle.example --event 1 --rpc https://bsc.example
  bun run verify --proof proof.json --ledger ledger.csv [--rpc https://bsc.example]

  --rpc        an endpoint of the chain that you trust; without it the files alone are checked
  --full       every payment and every block of the sale, not a random sample of a long list
  What you noted while tickets were sold, to be compared with the proof:
  --wallet 0x… --price 3 --sale-start DATE --sale-end DATE --draw-date DATE`

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
} as const

/** `bun run verify`: exit code 0 if nothing failed and all that was to be checked could be, else 1. */
export async function verifyCommand(args: readonly string[], print: (line: string) => void): Promise<number> {
  let input: VerifyInput
  try {
    input = await readInput(args)
  } catch (error) {
    print(error instanceof Error ? error.message : String(error))
    print(usage)
    return 1
  }
  const results: VerifyResult[] = []
  for await (const event of verifyDraw(input)) {
    if (event.kind !== 'result') continue
    results.push(event)
    for (const line of linesOf(event)) print(line)
  }
  const good = isVerified(results)
  if (results.length > 1) print(`\nThe seed, in a shell:\n  ${shellCheck(input.proof)}`)
  print(good ? '\nVerified: nothing contradicts this draw.' : '\nNot verified: see above.')
  return good ? 0 : 1
}

const marks = { passed: 'ok  ', failed: 'FAIL', unknown: '??  ', skipped: '-   ' }
const titles = new Map<string, string>(verifySteps)

function linesOf({ step, status, text, expected, actual }: VerifyResult): string[] {
  const lines = [`${marks[status]} ${titles.get(step)}`, `       ${text}`]
  if (expected !== undefined) lines.push(`       expected ${expected}`, `       found    ${actual}`)
  return lines
}

/** The five hashes as raw bytes, hashed by tools that are not ours: it prints the first seed. */
export function shellCheck(proof: string): string {
  const hashes = parseProof(proof).blocks.map((block) => block.hash.slice(2))
  return `printf '%s' ${hashes.join('')} | xxd -r -p | sha256sum`
}

async function readInput(args: readonly string[]): Promise<VerifyInput> {
  const { values } = parseArgs({ args: [...args], options, strict: true })
  const noted = notedTerms(values)
  const rpc = values.rpc ? httpRpc(values.rpc) : undefined
  const sample = values.full ? { sample: Number.MAX_SAFE_INTEGER, logCalls: Number.MAX_SAFE_INTEGER } : {}
  if (values.proof && values.ledger)
    return {
      proof: readFileSync(values.proof, 'utf8'),
      ledger: createReadStream(values.ledger),
      rpc,
      known: noted,
      ...sample,
    }
  if (!values.site || !/^[1-9]\d*$/.test(values.event ?? ''))
    throw new Error('Name a site and an event, or the files of a proof and a ledger.')
  const of = (what: string) =>
    get(`${new URL(values.site as string).origin}/api/raffle/${what}/${values.event}`)
  const [proof, ledger] = await Promise.all([of('proof'), of('ledger')])
  if (!ledger.body) throw new Error('The ledger is empty.')
  return {
    proof: await proof.text(),
    ledger: ledger.body,
    rpc,
    known: { eventNumber: Number(values.event), ...noted },
    ...sample,
  }
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
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
  const cents = values.price === undefined ? undefined : parseCents(String(values.price))
  if (values.price !== undefined && cents === undefined)
    throw new Error('--price is an amount such as 3 or 2.50.')
  const terms = {
    operatorWallet:
      values.wallet === undefined ? undefined : (String(values.wallet).toLowerCase() as `0x${string}`),
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
