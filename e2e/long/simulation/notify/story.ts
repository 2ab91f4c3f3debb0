import fc from 'fast-check'

export type NotifyStory = { endpoints: number; steps: Step[] }
export type Step =
  /** Things happen in one transaction, which may be undone. */
  | { kind: 'happen'; things: number; isUndone: boolean }
  /** So many workers at once; `dieAt`: each dies at that await, of those that it comes to. */
  | { kind: 'work'; workers: number; dieAt: number | null }
  /** What the queue is: it takes jobs, forgets them, or is gone. */
  | { kind: 'queue'; state: 'works' | 'forgets' | 'gone' }
  | { kind: 'receiver'; state: 'up' | 'error' | 'redirects' | 'hangs' | 'answers late' }
  | { kind: 'pass'; seconds: number }
  | { kind: 'retry' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('happen' as const),
      things: fc.integer({ min: 1, max: 3 }),
      isUndone: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('work' as const),
      workers: fc.integer({ min: 1, max: 3 }),
      dieAt: fc.option(fc.integer({ min: 0, max: 8 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('queue' as const),
      state: fc.constantFrom('works', 'forgets', 'gone'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('receiver' as const),
      state: fc.constantFrom('up', 'up', 'error', 'redirects', 'hangs', 'answers late'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      seconds: fc.constantFrom(1, 2, 31, 3_600, 100_000),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'retry' as const }) },
)

export const notifyStory: fc.Arbitrary<NotifyStory> = fc
  .array(step, { minLength: 5, maxLength: 30 })
  .map((steps) => ({ endpoints: 1, steps }))
