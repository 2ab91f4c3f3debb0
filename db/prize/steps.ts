import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { prizeSteps } from '../schema/index.ts'

type Row = typeof prizeSteps.$inferSelect
/** A step that is true now. */
export type Step = Omit<Row, 'step'> & { step: Exclude<Row['step'], 'undone'> }
export type Wanted = Pick<Step, 'step' | 'at' | 'wallet' | 'transactionHash'> & { reason?: string | null }
type Prize = Pick<Row, 'eventNumber' | 'place'>

/** The steps of these events that nothing has taken back, as they were noted. */
export async function listSteps(db: Db, eventNumbers: readonly number[]): Promise<Step[]> {
  if (eventNumbers.length === 0) return []
  const rows = await db
    .select()
    .from(prizeSteps)
    .where(inArray(prizeSteps.eventNumber, [...eventNumbers]))
    .orderBy(asc(prizeSteps.id))
  return live(rows)
}

export async function addStep(tx: Db, { eventNumber, place }: Prize, wanted: Wanted): Promise<void> {
  const [row] = await tx
    .select({ round: sql<number>`count(*)::int` })
    .from(prizeSteps)
    .where(
      and(
        eq(prizeSteps.eventNumber, eventNumber),
        eq(prizeSteps.place, place),
        eq(prizeSteps.step, wanted.step),
        eq(prizeSteps.wallet, wanted.wallet),
      ),
    )
  await tx.insert(prizeSteps).values({ eventNumber, place, ...wanted, round: row?.round ?? 0 })
}

/**
 * Makes `wanted` the steps of these kinds that a prize has: takes back what is not among them and adds what is missing. True
 * if there was anything to do. The caller has locked the prize.
 */
export async function matchSteps(
  tx: Db,
  { eventNumber, place }: Prize,
  kinds: readonly Step['step'][],
  wanted: readonly Wanted[],
): Promise<boolean> {
  const known = (await listSteps(tx, [eventNumber])).filter(
    (one) => one.place === place && kinds.includes(one.step),
  )
  const keys = new Set(wanted.map(keyOf))
  const over = known.filter((one) => !keys.has(keyOf(one)))
  const there = new Set(known.map(keyOf))
  const missing = wanted.filter((one) => !there.has(keyOf(one)))
  // The last first: what followed from a step goes before it.
  for (const { id, at, wallet, transactionHash } of over.toReversed())
    await tx
      .insert(prizeSteps)
      .values({ eventNumber, place, step: 'undone', at, wallet, transactionHash, undoes: id })
  for (const one of missing) await addStep(tx, { eventNumber, place }, one)
  return over.length + missing.length > 0
}

const live = (rows: readonly Row[]): Step[] => {
  const undone = new Set(rows.flatMap(({ undoes }) => undoes ?? []))
  return rows.flatMap((row) =>
    row.step === 'undone' || undone.has(row.id) ? [] : [{ ...row, step: row.step }],
  )
}

const keyOf = ({ step, at, wallet, transactionHash }: Wanted): string =>
  `${step} ${at.getTime()} ${wallet} ${transactionHash}`
