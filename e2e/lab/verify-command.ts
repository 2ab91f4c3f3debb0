import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Proof } from '../../core/draw/proof.ts'
import { verifyCommand } from '../../infra/cli/verify/command.ts'

/** The published event of the vectors, as saved files. */
export const proof = new URL('../../core/draw/vectors/event.proof.json', import.meta.url).pathname
export const ledger = new URL('../../core/draw/vectors/event.ledger.csv', import.meta.url).pathname

/** The verifier's exit code and all that it printed. */
export async function run(...args: string[]) {
  const lines: string[] = []
  const code = await verifyCommand(args, (line) => lines.push(line))
  return { code, text: lines.join('\n') }
}

/** A temporary directory, removed after the test. */
export function newPlace(): (name: string, text: string) => string {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-verify-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return (name, text) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
}

/** Options with a file of a line that asks for another minimum, told never, before the sale end, at it, and at no time. */
export function toldUntil(write: (name: string, text: string) => string): string[][] {
  const { terms, saleEndDate } = JSON.parse(readFileSync(proof, 'utf8')) as Proof
  const saleEnd = Date.parse(saleEndDate) / 1000
  const other = terms.replace(/,(\d+)(,(?:true|false),)/, ',1000000$2')
  return [undefined, saleEnd - 1, saleEnd, `${saleEnd}`].map((time, at) => [
    '--terms',
    write(`terms-${at}`, JSON.stringify({ terms: other, toldUntil: time })),
  ])
}
/** What either verifier answers to them: exit code and finding. */
toldUntil.answers = [
  [2, undefined],
  [2, undefined],
  [1, 'minTickets is not what'],
  [64, 'toldUntil that is no'],
]
