import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { builtProgram } from '../../e2e/lab/built-programs.ts'

// Bundled by the kit within a test run, whose NODE_ENV is another one.
test('the programs of the image are those of production, wherever they are bundled', async () => {
  expect(process.env.NODE_ENV).not.toBe('production')
  const api = readFileSync(await builtProgram('api'), 'utf8')
  expect(/isDevelopment = (.+?);?\n/.exec(api)?.[1]).toBe('false')
})
