import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { ChainHealth } from '../../core/chain/chain-health.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { readPipeline, saveReport } from './health.ts'

const { db } = await forFile(usedDb())

const seen = (finalHeight: string | null, isStalled = false): ChainHealth => ({
  ...{ finalHeight, isStalled, skewSeconds: 0, isUnsafe: false, areHeadersKnown: true, endpoints: [] },
})

test('a worker that had nothing to ask does not say that the chain stands still while another one follows it', async () => {
  const shown = async () => (await readPipeline(db, 10n ** 17n)).worker?.facts.finalHeight
  await saveReport(db, 'chain', seen(null, true))
  expect(await shown()).toBeNull()
  await saveReport(db, 'chain', seen('9'))
  await saveReport(db, 'chain', seen('10'))
  for (const less of [seen(null, true), seen('9', true)]) await saveReport(db, 'chain', less)
  expect(await shown()).toBe('10')
  await saveReport(db, 'chain', seen('10', true))
  expect((await readPipeline(db, 10n ** 17n)).worker?.facts.isStalled).toBe(true)

  // Alone it is heard.
  await db.execute(sql`update reports set at = now() - interval '16 seconds'`)
  await saveReport(db, 'chain', seen('9'))
  expect(await shown()).toBe('9')
})

test.each([
  `update reports set state = null where name = 'nodes'`,
  `insert into reports (name, state, since) values ('solvency', null, now())`,
  `insert into reports (name, state, since, facts) values ('solvency', 'short', now(), '{"held": null, "required": null}')`,
])('what pauses sales or says what is missing has its state and its sums: %s', async (statement) => {
  await expect(db.execute(statement)).rejects.toMatchObject({
    cause: { constraint_name: 'reports_state' },
  })
})
