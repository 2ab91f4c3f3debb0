import { spawnSync } from 'node:child_process'

/** Without it tests of what is written in Python are left out, but never in CI. */
export const lacksPython = !process.env.CI && spawnSync('python3', ['--version']).status !== 0

/** Runs Python 3 with `input` on its standard input; throws when it is missing. */
function run(args: readonly string[], input = '') {
  const ran = spawnSync('python3', args, { input, encoding: 'utf8', maxBuffer: 256 * 2 ** 20 })
  if (ran.error) throw new Error(`These tests need python3: ${ran.error.message}`)
  return ran
}

/** What a program prints; throws when it fails. */
export function python(program: string, input: string): string {
  const { status, stdout, stderr } = run(['-c', program], input)
  if (status !== 0) throw new Error(`python3 ended with ${status}: ${stderr.trim()}`)
  return stdout
}

/** What infra/cli/verify.py says of two files alone. */
export const verifyPy = (proof: string, ledger: string): string =>
  run([new URL('../../infra/cli/verify.py', import.meta.url).pathname, '--proof', proof, '--ledger', ledger])
    .stdout
