import { expect, test } from 'vitest'
import { type VerifyResult, verdictOf, verifyDraw } from '../../../core/verify/verify.ts'
import { readInput } from '../../../infra/cli/verify/input.ts'
import { forFile } from '../../lab/opened.ts'
import { lacksPython } from '../../lab/python.ts'
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

const verifyPy = new URL('../../../infra/cli/verify.py', import.meta.url).pathname
const exitCodes = { verified: 0, contradicted: 1, incomplete: 2 } as const

// The product needs no Python, so a machine may lack it; where CI is set, its absence fails.
test.skipIf(lacksPython)(
  'I11: the second verifier, in Python, says the same of each but of what it leaves to others',
  async () => {
    const differences: unknown[] = []
    for (const run of runs) {
      const { name, verdict, step, options } = run
      // It leaves the signature of a beacon to drand's own client, and has no Keccak for a header's hash or bloom filter.
      const beaconKey = options.indexOf('--beacon-key')
      const isLeft = step?.startsWith('beacon') || (beaconKey >= 0 && verdict === 'verified')
      const args = beaconKey < 0 ? options : options.toSpliced(beaconKey, 2)
      const wanted = isLeft ? [1, 2] : [exitCodes[verdict]]
      if (name === 'a node whose headers do not give their hash') wanted.push(0)
      if (name.endsWith('at a node that answers no block receipts')) wanted.push(2)
      const child = Bun.spawn(['python3', '-B', verifyPy, ...args], { stdout: 'pipe', stderr: 'inherit' })
      const [code, text] = await Promise.all([child.exited, new Response(child.stdout).text()])
      if (!wanted.includes(code)) differences.push({ name, verdict, step, code, text })
    }
    expect(differences).toEqual([])
  },
  240_000,
)

async function check({ options }: Run): Promise<VerifyResult[]> {
  const { input } = await readInput(options)
  if (!('proof' in input)) throw new Error('Every case has a proof.')
  const events = await Array.fromAsync(verifyDraw(input))
  return events.filter((event): event is VerifyResult => event.kind === 'result')
}
