import { and, asc, eq, inArray } from 'drizzle-orm'
import { getAddress } from 'viem'
import type { PublicPrizeState } from '../../core/live/public.ts'
import { prizeState } from '../../core/live/state.ts'
import type { PublicPrize } from '../../core/prize/public.ts'
import { isRevealed } from '../draw/revealed.ts'
import type { Db } from '../index.ts'
import { draws, events, prizes } from '../schema/index.ts'
import { listSteps, type Step } from './steps.ts'
import type { Prize } from './turns.ts'

/** What became of the prizes of an event; undefined before its winners are announced, and where no record was kept. */
export async function loadAnnouncedPrizes(db: Db, eventNumber: number): Promise<PublicPrize[] | undefined> {
  if (!(await isAnnounced(db, eventNumber))) return undefined
  const found = await loadPrizes(db, [eventNumber])
  return found.length > 0 ? found : undefined
}

/** True once people know who was drawn. */
export async function isAnnounced(db: Db, eventNumber: number): Promise<boolean> {
  const [shown] = await db
    .select({ number: draws.eventNumber })
    .from(draws)
    .innerJoin(events, eq(events.number, draws.eventNumber))
    .where(and(eq(draws.eventNumber, eventNumber), isRevealed))
  return shown !== undefined
}

/** Of these events, in the order of their numbers and places, announced or not. */
export async function loadPrizes(db: Db, eventNumbers: readonly number[]): Promise<PublicPrize[]> {
  const rows = await prizesOf(db, eventNumbers)
  const steps = await listSteps(db, eventNumbers)
  return rows.map((row) =>
    publicPrize(
      row,
      steps.filter((step) => step.eventNumber === row.eventNumber && step.place === row.place),
    ),
  )
}

/** Where the prizes of these events stand, in short, in the order of their numbers and places. */
export async function loadPrizeStates(
  db: Db,
  eventNumbers: readonly number[],
): Promise<(PublicPrizeState & { eventNumber: number })[]> {
  const rows = await prizesOf(db, eventNumbers)
  return rows.map((row) => ({ eventNumber: row.eventNumber, ...prizeState(publicPrize(row, [])) }))
}

const prizesOf = async (db: Db, eventNumbers: readonly number[]): Promise<Prize[]> =>
  eventNumbers.length === 0
    ? []
    : db
        .select()
        .from(prizes)
        .where(inArray(prizes.eventNumber, [...eventNumbers]))
        .orderBy(asc(prizes.eventNumber), asc(prizes.place))

/** Nothing of it is private but the parcel's number. */
export const publicPrize = (
  { eventNumber, place, kind, units, state, holderKind, holderPlace, holderWallet, claimBy }: Prize,
  steps: readonly Step[],
): PublicPrize => ({
  ...{ eventNumber, place, kind, state },
  units: units === null ? null : `${units}`,
  holder:
    holderKind && holderPlace !== null && holderWallet
      ? { kind: holderKind, place: holderPlace, walletAddress: getAddress(holderWallet) }
      : null,
  claimBy: claimBy?.toISOString() ?? null,
  steps: steps.map(({ step, at, wallet, transactionHash, reason }) => ({
    ...{ step, at: at.toISOString(), walletAddress: getAddress(wallet), transactionHash, reason },
  })),
})
