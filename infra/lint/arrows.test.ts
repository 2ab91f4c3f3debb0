import { describe, expect, test } from 'vitest'
import { wrongArrows } from './arrows.ts'

describe('arrows', () => {
  test.each([
    ['core/draw/draw.ts', "import { connect } from '../../db/index.ts'"],
    ['core/draw/draw.ts', "import { readFileSync } from 'node:fs'"],
    ['core/draw/draw.ts', "import { createPublicClient } from 'viem'"],
    ['db/index.ts', "import { createApp } from '../api/app.ts'"],
    ['api/app.ts', "import { scan } from '../worker/payment/scan.ts'"],
    ['worker/chain.ts', "export { problem } from '../api/app.ts'"],
    ['worker/payment/scan.ts', "const { app } = await import('../../api/app.ts')"],
    ['site/src/shell/api.ts', "import { createApp } from '../../../api/app.ts'"],
    ['site/src/shell/api.ts', "import { type App, createApp } from '../../../api/app.ts'"],
    ['site/src/pages/index.astro', "---\nimport { schema } from '../../../db/schema/index.ts'\n---"],
    ['site/src/shell/api.ts', "import type { Db } from '../../../db/index.ts'"],
    ['infra/local/start.ts', "import '../../api/main.ts'"],
    ['core/draw/draw.ts', "import { parseEnv } from '../server/env.ts'"],
    ['core/server/queue.ts', "import { connect } from '../../db/index.ts'"],
    ['site/src/shell/api.ts', "import { parseEnv } from '../../../core/server/env.ts'"],
    ['site/src/shell/api.ts', "import { putRegister } from '../../../infra/local/put-register.ts'"],
    ['e2e/lab/stack.ts', "import { buy } from '../purchase.test.ts'"],
    ['infra/local/start.ts', "import { payByHand } from '../../e2e/lab/pay.ts'"],
    ['worker/payment/scan.test.ts', "import { play } from '../../e2e/long/simulation/invariants.ts'"],
    ['api/app.ts', "import {\n  a,\n  b,\n} from '../worker/deps.ts'"],
    ['db/payment/fold.ts', "import { refundLines } from '../refund/lines.ts'"],
    ['db/event/terms.ts', "import { drawWinner } from '../draw/draws.ts'"],
    ['core/payment/judge.ts', "import { drawAll } from '../draw/winners.ts'"],
  ])('%s may not: %s', (file, source) => {
    expect(wrongArrows(file, source)).toHaveLength(1)
  })

  test.each([
    ['core/draw/draw.ts', "import { sha256 } from 'viem'\nimport { x } from '../money.ts'"],
    ['db/index.ts', "import { parseEnv } from '../core/server/env.ts'"],
    [
      'db/refund/lines.ts',
      "import { fold } from '../payment/fold.ts'\nimport { connect } from '../index.ts'",
    ],
    ['api/app.ts', "import { connect } from '../db/index.ts'\nimport { Elysia } from 'elysia'"],
    ['site/src/shell/api.ts', "import type { App } from '../../../api/app.ts'"],
    ['site/src/shell/api.ts', "import { type App } from '../../../api/app.ts'"],
    ['site/src/shell/a.ts', "const made = await import('../../../infra/contracts/raffle-register.json')"],
    ['worker/payment/scan.test.ts', "import { startChain } from '../local/chain.ts'"],
    ['api/main.ts', "import { readEnv } from '../core/server/env.ts'"],
    ['db/payment/fold.test.ts', "import { testDb } from '../../e2e/lab/database.ts'"],
    ['e2e/story.test.ts', "import { createApp } from '../api/app.ts'"],
  ])('%s may: %s', (file, source) => {
    expect(wrongArrows(file, source)).toEqual([])
  })
})
