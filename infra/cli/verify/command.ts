import { createReadStream, openSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Address } from 'viem'
import { bscChainId, usdtOnBsc } from '../../../core/chain/register.ts'
import type { BeaconNetwork } from '../../../core/draw/beacon.ts'
import { localBeacon } from '../../../core/draw/local-beacon.ts'
import { readAll, readText, refuseLarge } from '../../../core/verify/download.ts'
import {
  type Known,
  type RefundInput,
  type Verdict,
  type VerifyInput,
  type VerifyResult,
  verdictOf,
  verifyDraw,
  verifyRefunds,
} from '../../../core/verify/verify.ts'
import { openNode } from '../../../site/src/check/node.ts'
import enDraw from '../../../site/src/messages/en/draw.json'
import en from '../../../site/src/messages/en/findings.json'
import koDraw from '../../../site/src/messages/ko/draw.json'
import ko from '../../../site/src/messages/ko/findings.json'
import { fill } from '../../../site/src/texts/fill.ts'
import { sentenceOf } from '../../../site/src/texts/findings.ts'

/** EX_USAGE of `sysexits.h`, distinct from the three verdicts. */
const couldNotBegin = 64

const usage = `Checks a finished draw, or that an event missed its minimum, with nothing but public data.

  bun run verify --site https://raffle.example --event 1 --rpc https://bsc.example --terms LINE
  bun run verify --proof proof.json --ledger ledger.csv [--rpc https://bsc.example] [--terms LINE]

  --rpc        an endpoint of the chain that you trust, which serves logs; without it the files alone are checked
  --terms      the terms line that you kept, or a file of such lines: without it nothing is verified in full
  --former 0x… an operator wallet of an earlier event, for a list of refunds that was saved
  --beacon-key the key of a local beacon, where the draw did not use drand's quicknet
  --korean     Korean sentences
  Where tickets were not paid in USDT (${usdtOnBsc}) on chain ${bscChainId}:
  --chain 97 --token 0x…

  --build FILE writes this command as one file that runs with Node or Bun alone, and prints its SHA-256

Exit code: 0 verified (every step was done, and passed), 1 contradicted (a step failed), 2 incomplete (nothing
contradicts the draw, but a step was not done), ${couldNotBegin} nothing could be checked: bad options, or no proof and list
were there.`

const exitCodes: Record<Verdict, number> = { verified: 0, contradicted: 1, incomplete: 2 }

/** `bun run verify`: the exit code is the verdict. */
export async function verifyCommand(args: readonly string[], print: (line: string) => void): Promise<number> {
  if (args.includes('--help')) {
    print(usage)
    return couldNotBegin
  }
  let given: CommandInput
  try {
    given = await readInput(args)
  } catch (error) {
    print(harmless(error instanceof Error ? error.message : String(error)))
    print(usage)
    return couldNotBegin
  }
  const { input, isKorean } = given
  const texts = isKorean ? ko : en
  const { steps: titles } = (isKorean ? koDraw : enDraw).check
  const results: VerifyResult[] = []
  try {
    for await (const event of 'proof' in input ? verifyDraw(input) : verifyRefunds(input)) {
      if (event.kind === 'progress') continue
      results.push(event)
      print(`${marks[event.status]} ${titles[event.step]}`)
      print(harmless(`       ${sentenceOf(texts, event)}`))
    }
  } catch (error) {
    // The exit code of a crash is 1, which says that the draw is contradicted.
    print(harmless(`Nothing could be checked: ${error}`))
    return couldNotBegin
  }
  const verdict = verdictOf(results)
  const wanted = verdict === 'contradicted' ? 'failed' : 'open'
  const steps = results.filter(({ status }) => status === wanted).map(({ step }) => titles[step])
  print(`\n${fill(texts.verdicts[verdict], { steps: results.length, open: steps.length })}`)
  for (const step of steps) print(`  ${step}`)
  return exitCodes[verdict]
}

const marks = { passed: 'ok  ', failed: 'FAIL', open: '?   ' }

/** Replaces control characters in texts of files and endpoints, as they could forge a verdict. */
const harmless = (line: string): string => line.replace(/[\p{C}\u2028\u2029]/gu, '\uFFFD')

const options = {
  site: { type: 'string' },
  event: { type: 'string' },
  rpc: { type: 'string' },
  proof: { type: 'string' },
  ledger: { type: 'string' },
  terms: { type: 'string', multiple: true },
  former: { type: 'string', multiple: true },
  chain: { type: 'string' },
  token: { type: 'string' },
  'beacon-key': { type: 'string' },
  korean: { type: 'boolean' },
} as const

export type CommandInput = { isKorean: boolean; input: VerifyInput | RefundInput }

/** What the options name: files, or a site's answers. Throws with a sentence for the person who typed them. @internal */
export async function readInput(args: readonly string[]): Promise<CommandInput> {
  const { values } = parseArgs({ args: [...args], options, strict: true })
  const { site, event, former = [] } = values
  if (event !== undefined && !/^[1-9]\d{0,14}$/.test(event)) throw new Error('--event is a number such as 1.')
  const kept = values.terms?.flatMap(linesIn)
  const rest = {
    known: { kept, ...paidIn(values) },
    rpc: values.rpc ? openNode(values.rpc) : undefined,
    beacon: beaconOf(values['beacon-key']),
  }
  const with_ = (input: VerifyInput | RefundInput) => ({ isKorean: values.korean === true, input })
  const formerWallets = former.map((text) => addressIn('former', text))
  if (values.ledger) {
    const list = createReadStream('', { fd: openSync(values.ledger, 'r') })
    if (values.proof) return with_({ ...rest, list, proof: readFileSync(values.proof, 'utf8') })
    const [terms] = kept ?? []
    if (terms === undefined || site)
      throw new Error('Name the proof with --proof, or of refunds the terms line.')
    return with_({ ...rest, list, terms, formerWallets })
  }
  if (!site || event === undefined)
    throw new Error('Name a site and an event, or the files of a proof and a ledger.')
  const urlOf = (what: string) => `${new URL(site).origin}/api/raffle/${what}`
  const [proof, ledger] = await Promise.all([ask(urlOf(`proof/${event}`)), get(urlOf(`ledger/${event}`))])
  if (!ledger.body) throw new Error('The ledger is empty.')
  const list = readAll(ledger.body)
  if (proof.status !== 404) return with_({ ...rest, list, proof: await readText(checked(proof.url, proof)) })
  const config = JSON.parse(await readText(await get(urlOf('config')))) as Config
  if (`${config.eventNumber}` !== event || config.refundReason !== 'minimum')
    throw new Error(`Event ${event} has no proof: it was not drawn, or is not announced yet.`)
  return with_({ ...rest, list, terms: config.terms, formerWallets: config.formerWallets })
}

type Config = { eventNumber: number; refundReason: string | null; terms: string; formerWallets: Address[] }

/** A beacon besides drand's that the caller trusts: the local one. */
function beaconOf(key: string | undefined): BeaconNetwork | undefined {
  if (key === undefined) return undefined
  const [, digits] = /^(?:0x)?([0-9a-f]{192})$/i.exec(key) ?? []
  if (!digits) throw new Error('--beacon-key is a key of 96 bytes in hexadecimal.')
  return localBeacon(`0x${digits.toLowerCase()}`)
}

/** A line of terms, or a file of lines. A line that a person copied may lack its end. */
function linesIn(told: string): string[] {
  // Editors of some systems begin a file with a mark, and end its lines with two characters.
  const text = told.startsWith('blockdraw-terms-') ? told : readFileSync(told, 'utf8').replace(/^\uFEFF/, '')
  const lines = text.split(/\r?\n/).filter((line) => line.trim())
  if (lines.length === 0) throw new Error('--terms is a terms line, or a file of such lines.')
  return lines.map((line) => `${line.trimEnd()}\n`)
}

const answerWithinMs = 60_000
const downloadWithinMs = 3_600_000

/** A site that takes long to begin, or whose answer comes in drops, is given up. */
async function ask(url: string): Promise<Response> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new Error(`${url} did not answer.`)), answerWithinMs)
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(downloadWithinMs)])
  return fetch(url, { signal }).finally(() => clearTimeout(timer))
}

const get = async (url: string): Promise<Response> => checked(url, await ask(url))

function checked(url: string, response: Response): Response {
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  refuseLarge(response)
  return response
}

function addressIn(name: string, text: string): Address {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) throw new Error(`--${name} is no address.`)
  return text.toLowerCase() as Address
}

function paidIn(values: { chain?: string | undefined; token?: string | undefined }): Known {
  const chainId = values.chain === undefined ? bscChainId : Number(values.chain)
  if (!(Number.isSafeInteger(chainId) && chainId > 0)) throw new Error('--chain is a number such as 97.')
  if (chainId !== bscChainId && values.token === undefined)
    throw new Error(`Name the token of chain ${chainId} too, with --token.`)
  return { chainId, ...(values.token !== undefined && { token: addressIn('token', values.token) }) }
}
