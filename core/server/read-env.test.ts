import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readEnv } from './env.ts'

test.each([
  ['databaseUrl', 'DATABASE_URL'],
  ['secretKey', 'SECRET_KEY'],
  ['rpcUrls', 'RPC_URLS'],
] as const)('V3: a program that needs %s does not start without %s', (key, variable) => {
  expect(() => readEnv([key], {})).toThrow(`${variable} is not set.`)
})

test('a program that needs nothing starts with nothing', () => {
  expect(readEnv([], {}).databaseUrl).toBeUndefined()
})

test('what a program needs may come as a file', () => {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-env-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'rpc')
  writeFileSync(file, 'https://a.example/key\n')
  expect(readEnv(['rpcUrls'], { RPC_URLS_FILE: file }).rpcUrls).toEqual(['https://a.example/key'])
})
