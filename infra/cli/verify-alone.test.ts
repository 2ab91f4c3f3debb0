import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { ledger, newPlace, proof } from '../../e2e/lab/verify-command.ts'
import { buildVerifier } from './verify.ts'

test('is built as one file that Node runs alone', async () => {
  const write = newPlace()
  const file = write('verify.mjs', '')
  const sha256 = await buildVerifier(file)
  expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(sha256)
  // `bun --bun` puts a `node` of its own first, which is Bun.
  const PATH = process.env.PATH?.split(':').filter((dir) => !dir.includes('bun-node'))
  const options = { encoding: 'utf8', cwd: tmpdir(), env: { PATH: PATH?.join(':') } } as const
  const node = (...args: string[]) => spawnSync('node', [file, ...args], options)
  const honest = node('--proof', proof, '--ledger', ledger)
  expect([honest.status, honest.stderr]).toEqual([2, ''])
  expect(honest.stdout).toContain('Incomplete: nothing contradicts it')
  const changed = write('list', readFileSync(ledger, 'utf8').replace('135,2,', '135,3,'))
  expect(node('--proof', proof, '--ledger', changed).status).toBe(1)
  expect(node().status).toBe(64)
})
