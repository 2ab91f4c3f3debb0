import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { shellCheck, verifyCommand } from './verify.ts'

const proof = new URL('../../core/draw/vectors/event.proof.json', import.meta.url).pathname
const ledger = new URL('../../core/draw/vectors/event.ledger.csv', import.meta.url).pathname

async function run(...args: string[]) {
  const lines: string[] = []
  const code = await verifyCommand(args, (line) => lines.push(line))
  return { code, text: lines.join('\n') }
}

test('checks saved files without a site or an endpoint', async () => {
  const { code, text } = await run('--proof', proof, '--ledger', ledger)
  expect(text).toContain('ok   The seed is the SHA-256 of the five block hashes')
  expect(text).toContain('Verified: nothing contradicts this draw.')
  expect(code).toBe(0)
})

test('prints a line for the shell that gives the seed', () => {
  const text = readFileSync(proof, 'utf8')
  const command = shellCheck(text)
  const seed = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).slice(0, 64)
  expect(`0x${seed}`).toBe(JSON.parse(text).seed)
})

test('ends with 1 and names the step when the ledger was changed, or a term is not as noted', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-verify-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const changed = join(dir, 'changed.csv')
  writeFileSync(changed, readFileSync(ledger, 'utf8').replace('135,2,', '135,3,'))
  const broken = await run('--proof', proof, '--ledger', changed)
  expect(broken.code).toBe(1)
  expect(broken.text).toContain('FAIL The ticket list has the published fingerprint')
  const noted = await run('--proof', proof, '--ledger', ledger, '--price', '5')
  expect(noted.code).toBe(1)
  expect(noted.text).toContain('FAIL The terms are those shown while tickets were sold')
})

test('explains itself when asked for nothing it can do', async () => {
  for (const args of [
    [],
    ['--site', 'http://localhost'],
    ['--nonsense'],
    ['--proof', '/nowhere', '--ledger', ledger],
  ])
    expect(await run(...args)).toMatchObject({
      code: 1,
      text: expect.stringContaining('bun run verify --site'),
    })
})

test('an endpoint that is gone leaves the draw unverified, and its address is not printed', async () => {
  const { code, text } = await run(
    '--proof',
    proof,
    '--ledger',
    ledger,
    '--rpc',
    'http://127.0.0.1:9/secret-key',
  )
  expect(code).toBe(1)
  expect(text).toContain('??   The draw block is the first one at or after the draw date')
  expect(text).not.toContain('secret-key')
})
