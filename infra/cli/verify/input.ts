import { createReadStream, openSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { bscChainId } from '../../../core/chain/usdt.ts'
import type { BeaconNetwork } from '../../../core/draw/beacon.ts'
import { localBeacon } from '../../../core/draw/local-beacon.ts'
import type { KeptTerms } from '../../../core/event/terms-compare.ts'
import { parseCents, unitsOf } from '../../../core/money.ts'
import { contentLimit, readText, refuseLarge } from '../../../core/verify/download.ts'
import type { KnownTerms, VerifyInput } from '../../../core/verify/verify.ts'
import { openMemory } from './memory.ts'
import { httpRpc } from './node.ts'

const options = {
  site: { type: 'string' },
  event: { type: 'string' },
  rpc: { type: 'string' },
  proof: { type: 'string' },
  ledger: { type: 'string' },
  content: { type: 'string' },
  full: { type: 'boolean' },
  wallet: { type: 'string' },
  price: { type: 'string' },
  'sale-start': { type: 'string' },
  'sale-end': { type: 'string' },
  'draw-date': { type: 'string' },
  chain: { type: 'string' },
  token: { type: 'string' },
  terms: { type: 'string', multiple: true },
  'beacon-key': { type: 'string' },
  state: { type: 'string' },
} as const

type Sleep = (ms: number) => Promise<void>

/** What the options name: files, or a site's answers. Throws with a sentence for the person who typed them. */
export async function readInput(args: readonly string[], sleep?: Sleep): Promise<VerifyInput> {
  const { values } = parseArgs({ args: [...args], options, strict: true })
  const event = values.event === undefined ? undefined : Number(values.event)
  if (event !== undefined && !/^[1-9]\d*$/.test(values.event ?? ''))
    throw new Error('--event is a number such as 1.')
  const known: KnownTerms = {
    ...notedTerms(values),
    ...(event !== undefined && { eventNumber: event }),
    ...(values.terms && { kept: values.terms.flatMap(keptTerms) }),
    ...(values.content !== undefined && { content: readFileSync(values.content, 'utf8') }),
  }
  const rpc = values.rpc ? httpRpc(values.rpc, undefined, sleep) : undefined
  const all = Number.MAX_SAFE_INTEGER
  const rest = {
    ...{ rpc, known, beacon: beaconOf(values['beacon-key']) },
    ...(values.full && { sample: all, logCalls: all, byBlooms: true }),
  }
  const memoryOf = (proof: string) =>
    values.state === undefined ? undefined : openMemory(values.state, proof)
  if (values.proof && values.ledger) {
    const proof = readFileSync(values.proof, 'utf8')
    const memory = memoryOf(proof)
    const ledger = createReadStream('', { fd: openSync(values.ledger, 'r') })
    return { proof, ledger, memory, ...rest }
  }
  if (!values.site || event === undefined)
    throw new Error('Name a site and an event, or the files of a proof and a ledger.')
  const urlOf = (what: string) =>
    `${new URL(values.site as string).origin}/api/raffle/${what}/${values.event}`
  const of = (what: string) => get(urlOf(what))
  const [proof, ledger] = await Promise.all([of('proof'), of('ledger')])
  if (!ledger.body) throw new Error('The ledger is empty.')
  const text = await readText(proof)
  known.content ??= await servedContent(urlOf('content'))
  return { proof: text, ledger: ledger.body, memory: memoryOf(text), ...rest }
}

/** What the event raffles, as the site tells it; undefined where it tells nothing. */
async function servedContent(url: string): Promise<string | undefined> {
  const response = await ask(url)
  return response.ok ? readText(response, contentLimit) : undefined
}

/**
 * `YYYY-MM-DD[THH:MM[:SS[.sss]]][Z]` as an ISO text, cut to whole seconds. Without a zone it is UTC, wherever it is run: the
 * person's own zone would contradict an honest draw. Undefined for anything else, and for days that no calendar has.
 */
function momentOf(text: string): string | undefined {
  const [, day, time = '00:00', seconds = '00'] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?Z?$/.exec(text.trim()) ?? []
  const moment = `${day}T${time}:${seconds}.000Z`
  return new Date(Date.parse(moment) || 0).toISOString() === moment ? moment : undefined
}

/** A beacon besides drand's that the caller trusts: the local one. */
function beaconOf(key: string | undefined): BeaconNetwork | undefined {
  if (key === undefined) return undefined
  const [, digits] = /^(?:0x)?([0-9a-f]{192})$/i.exec(key) ?? []
  if (!digits) throw new Error('--beacon-key is a key of 96 bytes in hexadecimal.')
  return localBeacon(`0x${digits.toLowerCase()}`)
}

/** A line of terms, or a file of lines or of what a buyer's browser kept. */
function keptTerms(told: string): KeptTerms[] {
  if (told.startsWith('blockdraw-terms-')) return [noted(told)]
  // Editors of some systems begin a file with a mark, and end its lines with two characters.
  const text = readFileSync(told, 'utf8').replace(/^\uFEFF/, '')
  if (!/^\s*[[{]/.test(text)) return text.split(/\r?\n/).filter(Boolean).map(noted)
  const kept: unknown = JSON.parse(text)
  return (Array.isArray(kept) ? kept : [kept]).map((each: Partial<KeptTerms>) => {
    if (typeof each?.terms !== 'string') throw new Error('--terms is no file of terms.')
    return {
      ...noted(each.terms),
      firstDrawDate: each.firstDrawDate ?? null,
      ownUntil: secondOf(each, 'ownUntil'),
      toldUntil: secondOf(each, 'toldUntil'),
    }
  })
}

function secondOf(kept: Partial<KeptTerms>, name: 'ownUntil' | 'toldUntil'): number | null {
  const second = kept[name] ?? null
  if (second === null || Number.isSafeInteger(second)) return second
  throw new Error(`--terms has a ${name} that is no number.`)
}

/** A line that a person copied may lack its end. */
const noted = (line: string): KeptTerms => ({
  terms: `${line.trimEnd()}\n`,
  firstDrawDate: null,
  ownUntil: null,
})

const answerWithinMs = 60_000

/** A site that takes long to begin is given up; how its body comes is readAll's to watch. */
async function ask(url: string): Promise<Response> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new Error(`${url} did not answer.`)), answerWithinMs)
  return fetch(url, { signal: stop.signal }).finally(() => clearTimeout(timer))
}

const get = async (url: string): Promise<Response> => checked(url, await ask(url))

function checked(url: string, response: Response): Response {
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  refuseLarge(response)
  return response
}

function notedTerms(values: { [name in keyof typeof options]?: unknown }): KnownTerms {
  const date = (name: 'sale-start' | 'sale-end' | 'draw-date') => {
    const text = values[name]
    if (text === undefined) return undefined
    const moment = momentOf(String(text))
    if (!moment) throw new Error(`--${name} is no date such as 2025-09-30T12:00:00Z.`)
    return moment
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
