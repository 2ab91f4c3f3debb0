import { defineConfig } from 'vitest/config'
import TestOrder from './e2e/lab/test-order.ts'

/** Threads because vitest runs under Bun only so; three at a time on two cores, as many of them wait for blocks. */
export default defineConfig({
  test: {
    include: ['{core,db,api,worker,site,infra,e2e,bench}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.astro/**'],
    pool: 'threads',
    // What one file imports is there for the next: no module keeps what another test could see.
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: TestOrder },
    reporters: ['default', './e2e/lab/test-count.ts'],
    globalSetup: ['e2e/lab/test-postgres.ts'],
    // A limit asserts nothing, it ends what hangs: far above what a busy machine needs.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    teardownTimeout: 20_000,
    env: { LOG_LEVEL: 'silent', NO_COLOR: '1' },
  },
})
