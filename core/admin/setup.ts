/** What an operator sees to before the first buyer comes, in the order in which it is best done. */
export const setupSteps = [
  'password',
  'otp',
  'addresses',
  'wallet',
  'providers',
  'anchor',
  'backup',
  'alert',
  'content',
] as const
export type SetupStep = (typeof setupSteps)[number]

/** `spare`: not done, and nobody is asked for it: on a trial beside a chain on this machine, or of who has had an event. */
export type SetupState = 'done' | 'open' | 'spare'
export type SetupItem = { step: SetupStep; state: SetupState }

/** What protects money and people that are not there. */
const spareLocally = new Set<SetupStep>(['password', 'otp', 'addresses', 'providers', 'backup', 'alert'])

export function setupOf(isDone: Record<SetupStep, boolean>, place: { isLocal: boolean; isFirst: boolean }) {
  const isSpare = (step: SetupStep) => !place.isFirst || (place.isLocal && spareLocally.has(step))
  return setupSteps.map(
    (step): SetupItem => ({ step, state: isDone[step] ? 'done' : isSpare(step) ? 'spare' : 'open' }),
  )
}
