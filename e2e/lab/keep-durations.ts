import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

/**
 * `bun e2e/lab/keep-durations.ts RESULTS`: keeps how long each file took, from the results that `vitest --reporter=json`
 * has written of a whole run, so that the next run is ordered by it.
 */
type Results = { testResults: { name: string; startTime: number; endTime: number }[] }

const leastSeconds = 10
const root = resolve(import.meta.dirname, '../..')
const { testResults } = JSON.parse(readFileSync(String(process.argv[2]), 'utf8')) as Results
const seconds = testResults
  .map(
    ({ name, startTime, endTime }) =>
      [relative(root, name), Math.round((endTime - startTime) / 1_000)] as const,
  )
  .filter(([, taken]) => taken >= leastSeconds)
  .sort(([a, one], [b, other]) => other - one || a.localeCompare(b))
writeFileSync(
  join(import.meta.dirname, 'durations.json'),
  `${JSON.stringify(Object.fromEntries(seconds), null, 2)}\n`,
)
