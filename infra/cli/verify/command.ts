import { bscChainId, usdtOnBsc } from '../../../core/chain/usdt.ts'
import { parseProof } from '../../../core/draw/proof.ts'
import {
  type Lack,
  uncheckedSteps,
  type Verdict,
  type VerifyInput,
  type VerifyResult,
  verdictOf,
  verifyDraw,
  verifySteps,
} from '../../../core/verify/verify.ts'
import { readInput } from './input.ts'

/** EX_USAGE of `sysexits.h`, distinct from the three verdicts. */
const couldNotBegin = 64

const usage = `Checks a finished draw, with nothing but public data.

  bun run verify --site https://raffle.example --event 1 --rpc https://bsc.example
  bun run verify --proof proof.json --ledger ledger.csv [--rpc https://bsc.example]

  --rpc        an endpoint of the chain that you trust; without it the files alone are checked
  --full       every payment and every block of the sale, not a random sample of a long list; where the endpoint serves
               no logs, by every header of the sale: it says beforehand how many requests that takes
  --state FILE remembers how far it came, to go on from there when it is run again
  --terms      the terms line that you noted, or a file of such lines, or of what your browser kept: without it nothing is
               verified in full
  --content FILE the saved answer of raffle/content/{event}: what is raffled is compared with its SHA-256 in the terms
  --beacon-key the key of a local beacon, where the draw did not use drand's quicknet
  What you noted while tickets were sold, to be compared with the proof:
  --wallet 0x… --price 3 --sale-start DATE --sale-end DATE --draw-date DATE
  Where tickets were not paid in USDT (${usdtOnBsc}) on chain ${bscChainId}:
  --chain 97 --token 0x…

  --build FILE writes this command as one file that runs with Node or Bun alone, and prints its SHA-256

Exit code: 0 verified (every step was done, and passed), 1 contradicted (a step failed), 2 incomplete (nothing
contradicts the draw, but a step was not done, or for a part alone), ${couldNotBegin} nothing could be checked: bad options,
or no proof and list were there.`

const exitCodes: Record<Verdict, number> = { verified: 0, contradicted: 1, incomplete: 2 }

/** `bun run verify`: the exit code is the verdict. `sleep` is between two tries at an endpoint. */
export async function verifyCommand(
  args: readonly string[],
  print: (line: string) => void,
  sleep?: (ms: number) => Promise<void>,
): Promise<number> {
  if (args.includes('--help')) {
    print(usage)
    return couldNotBegin
  }
  let input: VerifyInput
  try {
    input = await readInput(args, sleep)
  } catch (error) {
    print(harmless(error instanceof Error ? error.message : String(error)))
    print(usage)
    return couldNotBegin
  }
  const results: VerifyResult[] = []
  try {
    await report(input, args, results, print)
  } catch (error) {
    // The exit code of a crash is 1, which says that the draw is contradicted.
    print(harmless(`Nothing could be checked: ${error}`))
    return couldNotBegin
  }
  if (results.length > 1) print(`\nThe block seed, in a shell:\n  ${shellCheck(input.proof)}`)
  const verdict = verdictOf(results)
  print('')
  for (const line of verdictLines(verdict, results)) print(line)
  return exitCodes[verdict]
}

/** Prints every step as it is done, and adds its result to `results`. */
async function report(
  input: VerifyInput,
  args: readonly string[],
  results: VerifyResult[],
  print: (line: string) => void,
): Promise<void> {
  for await (const event of verifyDraw(input)) {
    if (event.kind === 'progress') {
      if (event.requests && args.includes('--full'))
        print(
          `     ${titles.get(event.step)}: requests to the endpoint: about ${event.requests.toLocaleString('en-US')}.`,
        )
      continue
    }
    results.push(event)
    for (const line of linesOf(event)) print(line)
  }
}

const marks = { passed: 'ok  ', failed: 'FAIL', partial: 'part', unknown: '??  ', skipped: '-   ' }
const titles = new Map<string, string>(verifySteps)
const lacks: Record<Lack, string> = {
  logs: 'The endpoint serves no logs: another one may.',
  archive: 'The endpoint no longer has blocks as old as this sale: one with an archive has.',
  line: 'What you noted by hand is not all that was promised: keep the whole terms line from the page while tickets are sold, and give it with --terms.',
  content:
    'The terms promise what is raffled by its SHA-256: save the answer of raffle/content/{event} and give it with --content.',
  dates:
    'Your terms line is from before the dates were set: give a later one from the page too, of yours or of another buyer, or what you noted with --sale-end and --draw-date.',
}

function verdictLines(verdict: Verdict, results: readonly VerifyResult[]): string[] {
  if (verdict === 'verified') return [`Verified: all ${results.length} steps were done, and passed.`]
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
    `Incomplete: nothing contradicts this draw, but ${steps.length} of ${results.length} steps ${were} not checked, or not in full:`,
    ...steps.map((step) => `  ${titles.get(step)}`),
    ...[...missing].map((lack) => lacks[lack]),
  ]
}

function linesOf({ step, status, text, expected, actual }: VerifyResult): string[] {
  const lines = [`${marks[status]} ${titles.get(step)}`, `       ${text}`]
  if (expected !== undefined) lines.push(`       expected ${expected}`, `       found    ${actual}`)
  return lines.map(harmless)
}

/** Replaces control characters in texts of files and endpoints, as they could forge a verdict. */
const harmless = (line: string): string => line.replace(/[\p{C}\u2028\u2029]/gu, '\uFFFD')

/**
 * A shell command that hashes the five hashes as raw bytes with standard tools and prints the block seed.
 * @internal
 */
export function shellCheck(proof: string): string {
  const hashes = parseProof(proof).blocks.map((block) => block.hash.slice(2))
  return `printf '%s' ${hashes.join('')} | xxd -r -p | sha256sum`
}
