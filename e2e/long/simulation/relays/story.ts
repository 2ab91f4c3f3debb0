import fc from 'fast-check'
import type { RelayFault } from '../../../../infra/local/beacon.ts'

/** `healed`: the fault ends before the last round of attempts. */
export type RelayStory = {
  endpoints: number
  relays: { fault: RelayFault | undefined; healed: boolean }[]
  /** What somebody hands in, in this order, by the call. */
  steps: Step[]
}
export type Step =
  | { kind: 'time'; place: 'before-depth' | 'before-round' | 'at-round' | 'after-round' }
  | { kind: 'work'; workers: number }
  | { kind: 'kill'; at: number }
  | { kind: 'visitor'; signature: 'right' | 'other-round' | 'wrong-key' | 'infinity' }
  | { kind: 'heal' }

const fault: fc.Arbitrary<RelayFault | undefined> = fc.constantFrom<RelayFault | undefined>(
  undefined,
  { kind: 'late', seconds: 6 },
  { kind: 'late', seconds: 1_000_000 },
  { kind: 'missing' },
  { kind: 'error' },
  { kind: 'html' },
  { kind: 'hangs' },
  { kind: 'huge' },
  { kind: 'redirects' },
  { kind: 'other-round' },
  { kind: 'wrong-key' },
  { kind: 'lies' },
  { kind: 'halted' },
)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('work' as const), workers: fc.integer({ min: 1, max: 2 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('kill' as const), at: fc.integer({ min: 0, max: 40 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('visitor' as const),
      signature: fc.constantFrom('right', 'other-round', 'wrong-key', 'infinity'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'heal' as const }) },
)
const some = (most: number) => fc.array(step, { maxLength: most })
const time = (place: Extract<Step, { kind: 'time' }>['place']): Step => ({ kind: 'time', place })

/** Five relays, most of them broken, and what workers and visitors do before, at and after the time of the round. */
export const relayStory: fc.Arbitrary<RelayStory> = fc
  .tuple(
    // Mostly none of the five is honest, so that a visitor or a cure decides.
    fc.array(
      fc.record({
        fault: fc.oneof({ weight: 12, arbitrary: fault.filter(isBroken) }, { weight: 1, arbitrary: fault }),
        healed: fc.boolean(),
      }),
      { minLength: 5, maxLength: 5 },
    ),
    ...([some(2), some(3), some(3), some(5)] as const),
  )
  .map(([relays, first, second, third, last]) => ({
    endpoints: 1,
    relays,
    steps: [
      ...[time('before-depth'), ...first, time('before-round'), ...second],
      ...[time('at-round'), ...third, time('after-round'), ...last],
    ],
  }))

/** Never has a right signature that a worker may take. */
function isBroken(fault: RelayFault | undefined): boolean {
  return fault !== undefined && fault.kind !== 'lies' && !(fault.kind === 'late' && fault.seconds < 60)
}
