import { expect, test } from 'vitest'
import { type VerifyResult, verdictOf, verifyDraw } from '../../../core/verify/verify.ts'
import { readInput } from '../../../infra/cli/verify/input.ts'
import { forFile } from '../../lab/opened.ts'
import { lacksPython } from '../../lab/python.ts'
import { type PyAnswer, runPython, verifyPy } from '../../lab/verify-py.ts'
import { openForgeries, type Run } from './all.ts'

const { runs } = await forFile(openForgeries())

test('there are at least 60 kinds of forged proofs, each of another name', () => {
  expect(new Set(runs.map(({ name }) => name)).size).toBe(runs.length)
  expect(runs.filter(({ verdict }) => verdict === 'contradicted').length).toBeGreaterThanOrEqual(60)
})

test.each(runs)('I35: $name: $verdict $step', async (run) => {
  const results = await check(run)
  const [first] = failedOf(results)
  expect([verdictOf(results), first]).toEqual([run.verdict, run.step])
})

// The product needs no Python, so a machine may lack it; where CI is set, its absence fails.
test.skipIf(lacksPython)(
  'I11: the second verifier, in Python, says the same of each, step by step',
  async () => {
    const told = await askPython()
    const differences: unknown[] = []
    for (const run of runs) {
      const { verdict, steps, texts } = told.get(run.id) as PyAnswer
      const theirs = Object.keys(steps).filter((step) => steps[step] === 'failed')
      const ours = failedOf(await check(run))
      if (verdict !== run.verdict || `${theirs}` !== `${ours}`)
        differences.push({ name: run.name, verdict, expected: run.verdict, theirs, ours, texts })
    }
    expect(differences).toEqual([])
  },
  240_000,
)

async function check({ files, rpc, options }: Run): Promise<VerifyResult[]> {
  const input = await readInput([
    ...['--proof', files.proof, '--ledger', files.ledger],
    ...(rpc ? ['--rpc', rpc] : []),
    ...options,
  ])
  const events = await Array.fromAsync(verifyDraw(input))
  return events.filter((event): event is VerifyResult => event.kind === 'result')
}

const failedOf = (results: readonly VerifyResult[]): string[] =>
  results.filter(({ status }) => status === 'failed').map(({ step }) => step)

/** All of them in one process. */
async function askPython(): Promise<Map<string, PyAnswer>> {
  const lines = runs.map(({ id, files, rpc, options }) =>
    JSON.stringify({ id, ...files, rpc, args: options }),
  )
  const { code, text } = await runPython([verifyPy, '--batch'], `${lines.join('\n')}\n`)
  if (code !== 0) throw new Error(text)
  const answers = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PyAnswer)
  return new Map(answers.map((each) => [each.id, each]))
}
