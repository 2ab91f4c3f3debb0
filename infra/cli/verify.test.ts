import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commitmentOf } from '../../core/draw/anchor.ts'
import type { Proof } from '../../core/draw/proof.ts'
import { fittingTerms } from '../../e2e/lab/forged-proof.ts'
import { ledger, newPlace, proof, run, toldUntil } from '../../e2e/lab/verify-command.ts'
import { shellCheck, verifyCommand } from './verify/command.ts'

test('checks saved files without a site or an endpoint, and names what was not checked', async () => {
  const { code, text } = await run('--proof', proof, '--ledger', ledger)
  expect(text).toContain('ok   The seed follows from the five block hashes')
  expect(text).toContain('Incomplete: nothing contradicts this draw, but 7 of 14 steps were not checked')
  expect(text).toContain('No payment on the chain is missing from the list')
  expect(text).not.toContain('Verified')
  expect(code).toBe(2)
})

// A machine may lack the two programs that the command is made of.
test.skipIf(!Bun.which('xxd') || !Bun.which('sha256sum'))(
  'prints a shell command that computes the seed',
  () => {
    const text = readFileSync(proof, 'utf8')
    const command = shellCheck(text)
    const seed = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).slice(0, 64)
    expect(`0x${seed}`).toBe(JSON.parse(text).seed)
  },
)

test('ends with 1 and names the step when the ledger was changed, or a term is not as noted', async () => {
  const write = newPlace()
  const changed = write('changed.csv', readFileSync(ledger, 'utf8').replace('135,2,', '135,3,'))
  const broken = await run('--proof', proof, '--ledger', changed)
  expect(broken.code).toBe(1)
  expect(broken.text).toContain('FAIL The ticket list has the published fingerprint')
  expect(broken.text).toContain('Contradicted')
  const noted = await run('--proof', proof, '--ledger', ledger, '--price', '5')
  expect(noted.code).toBe(1)
  expect(noted.text).toContain('FAIL The terms are those shown while tickets were sold')
})

test('prints its usage for arguments it does not know', async () => {
  const files = ['--proof', proof, '--ledger', ledger]
  for (const args of [
    [],
    ['--site', 'http://localhost'],
    ['--nonsense'],
    ['--help'],
    ['--proof', '/nowhere', '--ledger', ledger],
    ['--proof', proof, '--ledger', '/nowhere'],
    [...files, '--draw-date', '2026-02-30'],
    [...files, '--draw-date', '12 Nov'],
    [...files, '--wallet', '0x12'],
    [...files, '--content', '/nowhere'],
    [...files, '--token', 'USDT'],
    [...files, '--chain', 'bsc'],
    // No token is built in for other chains.
    [...files, '--chain', '97'],
  ])
    expect([args, await run(...args)]).toEqual([
      args,
      { code: 64, text: expect.stringContaining('bun run verify --site') },
    ])
})

test('knows chain 56 and its USDT; another chain or token passes only if it is named', async () => {
  const write = newPlace()
  const token = `0x${'ee'.repeat(20)}` as const
  const vector = JSON.parse(readFileSync(proof, 'utf8')) as Proof
  const fitting = (name: string, change: Partial<Proof>) => {
    const terms = fittingTerms({ ...vector, ...change })
    const commitment = commitmentOf(terms, vector.ledger.sha256)
    return write(name, JSON.stringify({ ...vector, ...change, terms, commitment }))
  }
  const ownToken = fitting('token', { token })
  const test = fitting('chain', { token, chainId: 97 })
  for (const [file, args, code] of [
    [ownToken, [], 1],
    [test, [], 1],
    [test, ['--token', token], 1],
    [ownToken, ['--token', token], 2],
    [test, ['--chain', '97', '--token', token], 2],
    [proof, ['--token', token], 1],
  ] as const) {
    const told = await run('--proof', file, '--ledger', ledger, ...args)
    expect([args, told.code]).toEqual([args, code])
    if (code === 1) expect(told.text).toContain('FAIL The terms are those shown while tickets were sold')
  }
})

test('an endpoint that is down is asked thrice and leaves the draw unverified, and its address is not printed', async () => {
  const [lines, slept]: [string[], number[]] = [[], []]
  const args = ['--proof', proof, '--ledger', ledger, '--rpc', 'http://127.0.0.1:9/secret-key']
  const code = await verifyCommand(
    args,
    (line) => lines.push(line),
    async (ms) => void slept.push(ms),
  )
  expect([code, slept.slice(0, 2)]).toEqual([2, [200, 400]])
  expect(lines.join('\n')).toContain('??   The draw block is the first one at or after the draw date')
  expect(lines.join('\n')).not.toContain('secret-key')
})

test('I35: no text in the files can forge a verdict on the terminal', async () => {
  const lie = '\u001b[2J\u001b[1;1H\r\u2028Verified'
  const list = readFileSync(ledger, 'utf8').replace('135,2,', `${lie},2,`)
  const field = readFileSync(proof, 'utf8').replace(
    '"version"',
    `"${lie.replaceAll('\u001b', '\\u001b').replace('\r', '\\r')}": 1, "version"`,
  )
  const write = newPlace()
  for (const args of [
    ['--proof', proof, '--ledger', write('list', list)],
    ['--proof', write('field', field), '--ledger', ledger],
  ]) {
    const { code, text } = await run(...args)
    expect(code).toBe(1)
    expect(text).toContain('Verified')
    expect(text.match(/[^\P{C}\n]|[\u2028\u2029]/gu)).toBe(null)
  }
})

test('saved files of another event than the requested one are contradicted', async () => {
  expect((await run('--proof', proof, '--ledger', ledger, '--event', '1')).code).toBe(2)
  expect((await run('--proof', proof, '--ledger', ledger, '--event', '7')).code).toBe(1)
})

test('terms of an editor that marks the beginning of a file and ends lines with two characters are read', async () => {
  const { terms } = JSON.parse(readFileSync(proof, 'utf8')) as Proof
  const file = newPlace()('terms', `\uFEFF${terms.trimEnd()}\r\n\r\n`)
  const { text } = await run('--proof', proof, '--ledger', ledger, '--terms', file)
  expect(text).toContain('ok   The terms are those shown while tickets were sold')
})

test('a line is given with the time up to which it was told; what is no time is refused', async () => {
  const told = []
  for (const args of toldUntil(newPlace())) {
    const { code, text } = await run('--proof', proof, '--ledger', ledger, ...args)
    told.push([code, /minTickets is not what|toldUntil that is no/.exec(text)?.[0]])
  }
  expect(told).toEqual(toldUntil.answers)
})
