import { bscChainId, usdtOnBsc } from '../../../core/chain/register.ts'
import { parseProof } from '../../../core/draw/proof.ts'
import {
  type Verdict,
  type VerifyResult,
  verdictOf,
  verifyDraw,
  verifyRefunds,
} from '../../../core/verify/verify.ts'
import enDraw from '../../../site/src/messages/en/draw.json'
import koDraw from '../../../site/src/messages/ko/draw.json'
import { fill } from '../../../site/src/texts/fill.ts'
import { sentenceOf } from '../../../site/src/texts/findings.ts'
import * as en from '../../../site/src/texts/findings-en.ts'
import * as ko from '../../../site/src/texts/findings-ko.ts'
import { type CommandInput, readInput } from './input.ts'

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
  let given: CommandInput
  try {
    given = await readInput(args, sleep)
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
      print(harmless(`       ${sentenceOf(texts.findings, event)}`))
    }
  } catch (error) {
    // The exit code of a crash is 1, which says that the draw is contradicted.
    print(harmless(`Nothing could be checked: ${error}`))
    return couldNotBegin
  }
  if (results.length > 1 && 'proof' in input)
    print(`\nThe block seed, in a shell:\n  ${shellCheck(input.proof)}`)
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

/** A shell command that hashes the five hashes as raw bytes with standard tools and prints the block seed. @internal */
export function shellCheck(proof: string): string {
  const hashes = parseProof(proof).blocks.map((block) => block.hash.slice(2))
  return `printf '%s' ${hashes.join('')} | xxd -r -p | sha256sum`
}
