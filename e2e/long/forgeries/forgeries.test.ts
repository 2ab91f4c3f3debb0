import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quicknet } from '../../../core/draw/beacon.ts'
import { type VerifyResult, verdictOf, verifyDraw } from '../../../core/verify/verify.ts'
import { readInput } from '../../../infra/cli/verify/command.ts'
import { forFile } from '../../lab/opened.ts'
import { lacksPython } from '../../lab/python.ts'
import { testBeacon } from '../../lab/test-beacon.ts'
import { anchorCases } from './anchors.ts'
import type { Case } from './case.ts'
import { beaconCases, drawCases } from './draws.ts'
import { fileCases } from './files.ts'
import { honestCases } from './honest.ts'
import { promiseCases } from './promises.ts'
import { serveLies } from './server.ts'
import { openForgeryWorld } from './world.ts'

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
    // The rules of rounds are tried with the beacon that tests can sign with, in drand's place.
    const ofTests = join(mkdtempSync(join(tmpdir(), 'blockdraw-verify-')), 'verify.py')
    const source = readFileSync(verifyPy, 'utf8')
      .replace(quicknet.chainHash, testBeacon.chainHash)
      .replace(`${quicknet.genesis}`, `${testBeacon.genesis}`)
      .replace('"quicknet"', `"${testBeacon.name}"`)
    writeFileSync(ofTests, source)
    for (const run of runs) {
      const { name, verdict, step, options } = run
      // It leaves the signature of a beacon to drand's own client, and has no Keccak for a header's hash or bloom filter.
      const beaconKey = options.indexOf('--beacon-key')
      const args = beaconKey < 0 ? options : options.toSpliced(beaconKey, 2)
      const program = beaconKey < 0 ? verifyPy : ofTests
      const wanted: number[] = [beaconKey >= 0 && verdict === 'verified' ? 2 : exitCodes[verdict]]
      if (step === 'beacon') wanted.push(2)
      if (name === 'a node whose headers do not give their hash') wanted.push(0)
      if (name.endsWith('at a node that answers no block receipts')) wanted.push(2)
      const child = Bun.spawn(['python3', '-B', program, ...args], { stdout: 'pipe', stderr: 'inherit' })
      const [code, text] = await Promise.all([child.exited, new Response(child.stdout).text()])
      if (!wanted.includes(code)) differences.push({ name, verdict, step, code, text })
    }
    rmSync(ofTests)
    expect(differences).toEqual([])
  },
  1_200_000,
)

// The product needs no Python, so a machine may lack it; where CI is set, its absence fails.
test.skipIf(lacksPython).each([
  ['an answer that breaks off', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n{"jsonrpc"'],
  ['half of its length', 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"jsonrpc"'],
  ['no HTTP', 'hello\r\n'],
  ['a deep nest', `HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${'['.repeat(100_000)}`],
])('I11: to the second verifier a node that answers %s contradicts nothing', async (_, answer) => {
  const node = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(answer)))
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const honest = runs.find(({ verdict }) => verdict === 'verified') as Run
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const args = honest.options.with(honest.options.indexOf('--rpc') + 1, url)
  const child = Bun.spawn(['python3', '-B', verifyPy, ...args], { stdout: 'ignore', stderr: 'inherit' })
  expect(await child.exited).toBe(exitCodes.incomplete)
  node.close()
})

async function check({ options }: Run): Promise<VerifyResult[]> {
  const { input } = await readInput(options)
  if (!('proof' in input)) throw new Error('Every case has a proof.')
  const events = await Array.fromAsync(verifyDraw(input))
  return events.filter((event): event is VerifyResult => event.kind === 'result')
}

/** A case as a verifier gets it: the options of its command. */
type Run = Case & { options: string[] }

/** Every case, ready to be run by any verifier. */
async function openForgeries() {
  const world = await openForgeryWorld()
  const cases = [
    ...honestCases(world),
    ...(await fileCases(world)),
    ...(await promiseCases(world)),
    ...(await drawCases(world)),
    ...(await beaconCases(world)),
    ...anchorCases(world),
  ]
  const server = serveLies(world.world.url)
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-forgeries-'))
  const runs = cases.map((each, at): Run => {
    const write = (kind: string, content: string | Uint8Array) => {
      const file = join(dir, `${at}.${kind}`)
      writeFileSync(file, content)
      return file
    }
    const options = [
      ...['--proof', write('proof', each.proof), '--ledger', write('ledger', each.ledger)],
      ...(each.isOffline ? [] : ['--rpc', server.url(each.lie)]),
      ...(each.kept?.length ? ['--terms', write('terms', each.kept.join(''))] : []),
      ...(each.args ?? []),
    ]
    return { ...each, options }
  })
  return {
    runs,
    close: async () => {
      await server.stop()
      await world.close()
      rmSync(dir, { recursive: true })
    },
  }
}
