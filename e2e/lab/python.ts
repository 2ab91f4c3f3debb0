import { spawnSync } from 'node:child_process'

/** Without it tests of what is written in Python are left out, but never in CI. */
export const lacksPython = !process.env.CI && spawnSync('python3', ['--version']).status !== 0

/** Runs a Python 3 script with `input` on its standard input; throws when it, or Python, is missing or fails. */
export function python(script: string, args: readonly string[], input = ''): string {
  const run = spawnSync('python3', [script, ...args], { input, encoding: 'utf8', maxBuffer: 256 * 2 ** 20 })
  if (run.error) throw new Error(`These tests need python3: ${run.error.message}`)
  if (run.status !== 0) throw new Error(`python3 ${script} ended with ${run.status}: ${run.stderr.trim()}`)
  return run.stdout
}
