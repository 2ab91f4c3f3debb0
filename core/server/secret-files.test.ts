import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseEnv } from './env.ts'
import { readSecretFiles } from './secrets.ts'

const dir = mkdtempSync(join(tmpdir(), 'blockdraw-secrets-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const key = 'a key of many different characters'

function secret(name: string, text: string): string {
  const file = join(dir, name)
  writeFileSync(file, text)
  return file
}

test('V3: a secret can be given as a file, whose last line break is dropped', () => {
  const vars = readSecretFiles({
    SECRET_KEY_FILE: secret('key', `${key}\n`),
    RPC_URLS_FILE: secret('rpc', 'https://a.example/key,https://b.example\n'),
    DATABASE_URL: 'postgres://blockdraw@postgres:5432/blockdraw',
    PGPASSWORD_FILE: secret('password', 'p%41ss:word@/'),
    ADMIN_PASSWORD_FILE: ' ',
  })
  expect(parseEnv(vars)).toMatchObject({
    secretKey: key,
    rpcUrls: ['https://a.example/key', 'https://b.example'],
    adminPassword: undefined,
  })
  expect(decodeURIComponent(new URL(vars.DATABASE_URL as string).password)).toBe('p%41ss:word@/')
})

test.each([
  ['is not there', () => ({ SECRET_KEY_FILE: join(dir, 'nowhere') })],
  ['is empty', () => ({ SECRET_KEY_FILE: secret('empty', ' \n') })],
  ['is a directory', () => ({ SECRET_KEY_FILE: dir })],
  ['competes with the variable', () => ({ SECRET_KEY: 'x', SECRET_KEY_FILE: secret('other', 'y') })],
])('V3: a secret file that %s stops the start, and the variable is named', (_, vars) => {
  expect(() => readSecretFiles(vars())).toThrow(/^SECRET_KEY_FILE /)
})
