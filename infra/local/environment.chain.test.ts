import { expect, test } from 'vitest'
import { enough, launch, type Name } from '../../e2e/lab/launch.ts'

// What each variable may be is a matter of the parser: core/server/env.test.ts.
test.each<[Name, string, Record<string, string>]>([
  ['api', 'SECRET_KEY', { SECRET_KEY: 'hunter2' }],
  ['worker', 'RPC_URLS', { RPC_UNSAFE: '', RPC_URLS: 'https://hunter2.example.com' }],
  ['migrate', 'DATABASE_URL', { DATABASE_URL: 'mysql://root:hunter2@db/x' }],
])(
  'V3: a bad value stops the start of %s with one sentence that names %s',
  async (name, variable, change) => {
    const { code, text } = await launch(name, { ...enough, ...change }).ended()
    expect([code, text]).toEqual([1, expect.stringMatching(new RegExp(`^${variable} [^\\n]+\\n$`))])
    expect(text).not.toContain('hunter2')
  },
)
