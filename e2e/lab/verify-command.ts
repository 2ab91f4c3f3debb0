import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
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
