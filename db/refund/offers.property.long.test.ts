import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { actions, OfferStory } from '../../e2e/lab/offer-story.ts'

/** `OFFER_SEEDS=500` for the whole proof, `OFFER_SEED` for other stories than those of each run of the suite. */
const seeds = Number(process.env.OFFER_SEEDS ?? 8)

const steps = fc.array(fc.record({ do: fc.constantFrom(...actions), a: fc.nat(15), b: fc.nat(15) }), {
  minLength: 12,
  maxLength: 45,
})

test('I16 by two wallets and on two paths nobody is ever offered more than he is owed, and in the end all are paid', {
  timeout: 240_000 + seeds * 15_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const own = await testDb()
      try {
        const story = await OfferStory.open(own)
        for (const step of steps) await story.run(step)
        await story.finish()
        expect(story.paid).toEqual(story.owed)
      } finally {
        await own.close()
      }
    }),
    {
      numRuns: seeds,
      endOnFailure: true,
      seed: Number(process.env.OFFER_SEED ?? 20),
    },
  )
  expect(seeds).toBeGreaterThan(0)
})
