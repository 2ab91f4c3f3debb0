import type { PublicPrizeState } from '../../../core/live/public.ts'
import { usdtOf } from '../../../core/money.ts'
import type { PublicPrize, PublicPrizeStep } from '../../../core/prize/promise.ts'
import { fill, t } from '../texts/index.ts'

/** A token prize that is sent is paid, and nothing of it is still to come. */
type Step = PublicPrizeStep['step'] | 'paid'
type Ahead = Exclude<Step, 'drawn' | 'turn' | 'corrected'>
/** As the page says it: `lapsed` where all turns went by without a claim. */
export type PrizeStanding = PublicPrize['state'] | 'paid' | 'lapsed'

export const standingOf = ({ kind, state, holder }: PublicPrize): PrizeStanding =>
  standing(kind, state, holder !== null)

export const shortStanding = ({ kind, state, walletAddress }: PublicPrizeState): PrizeStanding =>
  standing(kind, state, walletAddress !== null)

function standing(kind: PublicPrize['kind'], state: PublicPrize['state'], hasHolder: boolean): PrizeStanding {
  if (kind === 'token' && state === 'sent') return 'paid'
  return state === 'unclaimed' && !hasHolder ? 'lapsed' : state
}

export const kindOf = ({ units }: Pick<PublicPrize, 'units'>): string =>
  units === null ? t.prize.goods : fill(t.prize.token, { amount: usdtOf(units) })

export const isOver = (prize: PublicPrize): boolean =>
  ['paid', 'delivered', 'lapsed'].includes(standingOf(prize))

export const toneOf = (standing: PrizeStanding): '' | 'ok' | 'wait' =>
  standing === 'paid' || standing === 'delivered' ? 'ok' : standing === 'lapsed' ? '' : 'wait'

/** Whole days between two moments; never below 0. @internal */
export const daysBetween = (from: string, to: string): number =>
  Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 86_400_000))

export type TakenStep = Omit<PublicPrizeStep, 'step'> & {
  step: Step
  /** Whole days since the step before; null for the first. */
  days: number | null
}

export const takenSteps = ({ kind, steps }: PublicPrize): TakenStep[] =>
  steps.map((one, index) => {
    const before = steps[index - 1]
    const step = kind === 'token' && one.step === 'sent' ? 'paid' : one.step
    return { ...one, step, days: before ? daysBetween(before.at, one.at) : null }
  })

/** What was said and taken back is nothing that was done. */
export const stateOf = (step: Step): 'done' | 'failed' => (step === 'corrected' ? 'failed' : 'done')

const ways: Record<PublicPrize['kind'], Ahead[]> = {
  token: ['paid'],
  goods: ['claimed', 'sent', 'delivered'],
}

export function stepsAhead(prize: PublicPrize): Ahead[] {
  if (standingOf(prize) === 'lapsed') return []
  const steps = takenSteps(prize)
  const correction = steps.findLastIndex(({ step }) => step === 'corrected')
  const isTaken = (each: Ahead) =>
    steps.some(({ step }, index) => step === each && (each === 'claimed' || index > correction))
  return ways[prize.kind].filter((each) => !isTaken(each))
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

export const claimable = (prizes: readonly PublicPrize[]): PublicPrize[] =>
  prizes.filter((prize) => standingOf(prize) === 'unclaimed')
