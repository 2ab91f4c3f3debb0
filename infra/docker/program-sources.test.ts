import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { programSources } from '../../e2e/lab/built-programs.ts'

test('the programs of the stories are bundled anew after a change in any part of them', () => {
  const found = programSources(resolve(import.meta.dirname, '../..'))
  for (const file of [
    'core/errors.ts',
    'db/index.ts',
    'api/main.ts',
    'worker/main.ts',
    'infra/cli/admin.ts',
    'site/src/pages/index.astro',
  ])
    expect(found).toContain(file)
  expect(found.filter((file) => file.includes('.test.'))).toEqual([])
})
