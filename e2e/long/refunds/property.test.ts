import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { testDb } from '../../lab/database.ts'
import { openEvent, operator } from '../../lab/ledger-story.ts'
import { forFile } from '../../lab/opened.ts'
import { actions, payerOf, RefundStory } from '../../lab/refund-story.ts'

/** `REFUND_SEEDS=500` for the whole proof; a failure names the seed and path that repeat it. */
const seeds = Number(process.env.REFUND_SEEDS ?? 50)

const database = await forFile(testDb())

await openEvent(database.db)
await database.db.execute(sql`update events set refund_mode_at = now(), frozen_at = now(), ledger_sha256 = '0x',
    ledger_lines = 1, draw_date = now(), sale_end = now(), sale_start = to_timestamp(0),
    operator_wallet = ${operator}`)

const stories = fc.record({
  payments: fc.array(fc.record({ payer: fc.nat(3), units: fc.bigInt({ min: 1n, max: 40n }) }), {
    minLength: 1,
    maxLength: 8,
  }),
  steps: fc.array(fc.record({ do: fc.constantFrom(...actions), a: fc.nat(30), b: fc.nat(30) }), {
    minLength: 10,
    maxLength: 45,
  }),
})

test('I15 I16 whatever happens at the desk, nobody gets more than was paid in, and in the end everybody that', {
  timeout: 240_000 + seeds * 3_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(stories, async ({ payments, steps }) => {
      const paid = payments.map(({ payer, units }) => ({ payer: payerOf(payer), units }))
      const owed = new Map<Address, bigint>()
      for (const { payer, units } of paid) owed.set(payer, (owed.get(payer) ?? 0n) + units)
      const story = new RefundStory(database.db, owed)
      await story.begin(paid)
      for (const step of steps) await story.run(step)
      await story.finish()
    }),
    { numRuns: seeds, seed: Number(process.env.REFUND_SEED ?? 20) },
  )
  expect(seeds).toBeGreaterThan(0)
})
