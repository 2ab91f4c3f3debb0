import { defineConfig } from 'vitest/config'

const floors = '{core,db,api,worker,site,infra,bench}'
/** A project runs after those before it: what needs a core for itself is not beside what fills both. */
const project = (
  name: string,
  groupOrder: number,
  maxWorkers: number,
  include: string[],
  exclude: string[] = [],
) => ({
  extends: true as const,
  test: {
    ...{ name, include, maxWorkers },
    exclude: ['**/node_modules/**', '**/dist/**', '**/.astro/**', ...exclude],
    sequence: { groupOrder },
  },
})

/** Threads because vitest runs under Bun only so. */
export default defineConfig({
  test: {
    projects: [
      project(
        'unit',
        0,
        3,
        [`${floors}/**/*.test.{ts,tsx}`, 'e2e/lab/*.test.ts'],
        [`**/*.{chain,long}.test.ts`],
      ),
      // Three on two cores, as many of them wait for blocks; so do journeys in a browser.
      project('chain', 1, 3, [`{${floors},e2e/lab}/**/*.chain.test.ts`]),
      project('browser', 2, 3, ['e2e/*.test.ts']),
      project('long', 3, 2, ['e2e/long/**/*.test.ts', `${floors}/**/*.long.test.ts`]),
    ],
    pool: 'threads',
    // What one file imports is there for the next: no module keeps what another test could see.
    isolate: false,
    reporters: ['default', './e2e/lab/test-count.ts'],
    globalSetup: ['e2e/lab/test-run.ts'],
    setupFiles: ['e2e/lab/test-seed.ts'],
    // A limit asserts nothing, it ends what hangs: far above what a busy machine needs.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    teardownTimeout: 20_000,
    env: { LOG_LEVEL: 'silent', NO_COLOR: '1' },
  },
})
