import { describe, expect, test } from 'vitest'
import { wrongArrows } from './arrows.ts'

describe('arrows', () => {
  test.each([
    ['core/draw.ts', "import { connect } from '../db/index.ts'"],
    ['core/draw.ts', "import { readFileSync } from 'node:fs'"],
    ['core/draw.ts', "import { createPublicClient } from 'viem'"],
    ['db/index.ts', "import { createApp } from '../api/app.ts'"],
    ['api/app.ts', "import { scan } from '../worker/jobs/scan.ts'"],
    ['worker/chain.ts', "export { problem } from '../api/errors.ts'"],
    ['worker/jobs/scan.ts', "const { app } = await import('../../api/app.ts')"],
    ['site/src/lib/api.ts', "import { createApp } from '../../../api/app.ts'"],
    ['site/src/lib/api.ts', "import { type App, createApp } from '../../../api/app.ts'"],
    ['site/src/pages/index.astro', "---\nimport { schema } from '../../../db/schema.ts'\n---"],
    ['site/src/lib/api.ts', "import type { Db } from '../../../db/index.ts'"],
    ['infra/local/start.ts', "import '../../api/main.ts'"],
    ['api/app.ts', "import {\n  a,\n  b,\n} from '../worker/deps.ts'"],
  ])('%s may not: %s', (file, source) => {
    expect(wrongArrows(file, source)).toHaveLength(1)
  })

  test.each([
    ['core/draw.ts', "import { sha256 } from 'viem'\nimport { x } from './money.ts'"],
    ['db/index.ts', "import { parseEnv } from '../core/env.ts'"],
    ['api/app.ts', "import { connect } from '../db/index.ts'\nimport { Elysia } from 'elysia'"],
    ['site/src/lib/api.ts', "import type { App } from '../../../api/app.ts'"],
    ['site/src/lib/api.ts', "import { type App } from '../../../api/app.ts'"],
    ['worker/jobs/scan.test.ts', "import { startChain } from '../../infra/local/chain.ts'"],
    ['e2e/story.test.ts', "import { createApp } from '../api/app.ts'"],
  ])('%s may: %s', (file, source) => {
    expect(wrongArrows(file, source)).toEqual([])
  })
})
