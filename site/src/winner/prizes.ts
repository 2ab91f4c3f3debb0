import type { PublicPrizeState } from '../../../core/live/public.ts'
import type { PublicPrize, PublicPrizeStep } from '../../../core/prize/public.ts'

type Ahead = Exclude<PublicPrizeStep['step'], 'drawn' | 'turn' | 'corrected'>
/** As the page says it: `lapsed` where all turns went by without a claim. */
export type PrizeStanding = PublicPrize['state'] | 'lapsed'

export const standingOf = ({ state, holder }: PublicPrize): PrizeStanding =>
  state === 'unclaimed' && holder === null ? 'lapsed' : state

/** As a past event's line has it. */
export const shortStanding = ({ state, walletAddress }: PublicPrizeState): PrizeStanding =>
  state === 'unclaimed' && walletAddress === null ? 'lapsed' : state

/** Nothing more will happen to it. */
export const isOver = (prize: PublicPrize): boolean =>
  ['paid', 'delivered', 'lapsed'].includes(standingOf(prize))

/** The badge's colour: green for what is finished, gold for what somebody waits for. */
export const toneOf = (standing: PrizeStanding): '' | 'ok' | 'wait' =>
  standing === 'paid' || standing === 'delivered' ? 'ok' : standing === 'lapsed' ? '' : 'wait'

/**
 * Whole days between two moments; never below 0.
 * @internal
 */
export const daysBetween = (from: string, to: string): number =>
  Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 86_400_000))

export type TakenStep = PublicPrizeStep & {
  /** Whole days since the step before; null for the first. */
  days: number | null
}

/** What has happened, oldest first. */
export const takenSteps = ({ steps }: PublicPrize): TakenStep[] =>
  steps.map((step, index) => {
    const before = steps[index - 1]
    return { ...step, days: before ? daysBetween(before.at, step.at) : null }
  })

/** What was said and taken back is nothing that was done. */
export const stateOf = (step: PublicPrizeStep['step']): 'done' | 'failed' =>
  step === 'corrected' ? 'failed' : 'done'

const ways: Record<PublicPrize['kind'], Ahead[]> = {
  token: ['paid'],
  goods: ['claimed', 'shipped', 'delivered'],
}

/** What is still to come, in its order; nothing where all turns went by. */
export function stepsAhead(prize: PublicPrize): Ahead[] {
  if (standingOf(prize) === 'lapsed') return []
  const { kind, steps } = prize
  const correction = steps.findLastIndex(({ step }) => step === 'corrected')
  const isTaken = (each: Ahead) =>
    steps.some(({ step }, index) => step === each && (each !== 'shipped' || index > correction))
  return ways[kind].filter((each) => !isTaken(each))
}

/** Whole days from the draw to the newest step; undefined before any step followed. */
export function daysSinceDraw({ steps }: PublicPrize): number | undefined {
  const [drawn, ...later] = steps
  const last = later.at(-1)
  return drawn && last && daysBetween(drawn.at, last.at)
}

/** The prize that this wallet may claim, or has claimed: it holds one at most, as each is another payer's. */
export const prizeHeldBy = (
  prizes: readonly PublicPrize[],
  wallet: string | undefined,
): PublicPrize | undefined =>
  wallet === undefined
    ? undefined
    : prizes.find(({ holder }) => holder?.walletAddress.toLowerCase() === wallet.toLowerCase())

/** Prizes that wait for a claim. */
export const claimable = (prizes: readonly PublicPrize[]): PublicPrize[] =>
  prizes.filter((prize) => standingOf(prize) === 'unclaimed')
