import { expect, test } from 'vitest'
import { type VerifyResult, verdictOf, verifyDraw } from '../../../core/verify/verify.ts'
import { readInput } from '../../../infra/cli/verify/input.ts'
import { forFile } from '../../lab/opened.ts'
import { openForgeries, type Run } from './all.ts'

const { runs } = await forFile(openForgeries())

test('there are at least 60 kinds of forged proofs, each of another name', () => {
  expect(new Set(runs.map(({ name }) => name)).size).toBe(runs.length)
  expect(runs.filter(({ verdict }) => verdict === 'contradicted').length).toBeGreaterThanOrEqual(60)
})

test.each(runs)('I35: $name: $verdict $step', async (run) => {
  const results = await check(run)
  const first = results.find(({ status }) => status === 'failed')?.step
  const told = results.filter(({ status }) => status !== 'passed').map(({ step, finding }) => [step, finding])
  expect([verdictOf(results), first, told]).toEqual([run.verdict, run.step, told])
})

async function check({ options }: Run): Promise<VerifyResult[]> {
  const { input } = await readInput(options)
  if (!('proof' in input)) throw new Error('Every case has a proof.')
  const events = await Array.fromAsync(verifyDraw(input))
  return events.filter((event): event is VerifyResult => event.kind === 'result')
}
