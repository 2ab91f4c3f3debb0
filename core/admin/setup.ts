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
const spareLocally: ReadonlySet<SetupStep> = new Set([
  ...(['password', 'otp', 'addresses', 'providers', 'backup', 'alert'] as const),
])

type Place = { isLocal: boolean; isFirst: boolean }

export const setupOf = (isDone: Record<SetupStep, boolean>, { isLocal, isFirst }: Place): SetupItem[] =>
  setupSteps.map((step) => {
    const isSpare = !isFirst || (isLocal && spareLocally.has(step))
    return { step, state: isDone[step] ? 'done' : isSpare ? 'spare' : 'open' }
  })
