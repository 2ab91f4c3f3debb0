import { eq, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { OpeningGap } from '../../core/flows/flow.ts'
import type { Sums } from '../../core/flows/fold.ts'
import { toldSolvency } from '../../core/flows/told.ts'
import type { PublicSolvency } from '../../core/live/solvency.ts'
import { type Event, lockOpenEvent } from '../event/events.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { promisedTokenPrizes } from '../prize/unpaid.ts'
import { solvency } from '../schema/index.ts'
import { type Broken, compareBalances, haltForBalance, isEquationBroken } from './checks.ts'
import type { HeldWallet, OpeningBlock } from './openings.ts'
import { isStillThere, type ReckonPlace } from './place.ts'
import { loadSolvency } from './solvency.ts'

/** What two endpoints told of the block; `gap`: why they did not; undefined: they were not asked this time. */
export type Asked = { told: ReadonlyMap<Address, bigint> } | { gap: OpeningGap } | undefined

/**
 * Stores what was reckoned at a final block, and what became of the equation, in one step with what follows from it. Undefined,
 * with nothing written, if the event is another one by now, a later block was reckoned or older ones are read again meanwhile.
 */
export async function saveReckoned(
  db: Db,
  block: OpeningBlock,
  place: ReckonPlace,
  { wallets, sums, asked, dust }: { wallets: readonly HeldWallet[]; sums: Sums; asked: Asked; dust: bigint },
): Promise<{ facts: PublicSolvency; broken: Broken[] } | undefined> {
  const { eventNumber, token } = place
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event?.number !== eventNumber || event.token !== token) return undefined
    if (!(await isStillThere(tx, place))) return undefined
    const [last] = await tx
      .select({ height: solvency.height })
      .from(solvency)
      .where(eq(solvency.eventNumber, eventNumber))
    if (last && last.height >= block.number) return undefined
    const balances = asked && 'told' in asked ? { told: asked.told, known: sums.balances } : undefined
    const broken = balances ? await compareBalances(tx, block.number, wallets, balances) : []
    const facts = toldSolvency(sums, {
      ...{ eventNumber, token, block, dust },
      promised: await promisedByPlace(tx, event),
      wallets: wallets.flatMap(({ address, isProven }) => (isProven ? address : [])),
      equation: await equationOf(tx, event, sums, asked),
    })
    const row = { height: block.number, facts, points: [...sums.points], dust, reckonedAt: sql`now()` }
    const values = { ...row, ...(asked && { askedAt: sql`clock_timestamp()` }) }
    await tx
      .insert(solvency)
      .values({ eventNumber, ...values, untold: asked && !balances ? 1 : 0 })
      .onConflictDoUpdate({
        target: solvency.eventNumber,
        set: { ...values, ...(asked && { untold: balances ? 0 : sql`${solvency.untold} + 1` }) },
      })
    if (broken.length > 0) await haltForBalance(tx, event, block.number, broken)
    await bumpVersion(tx)
    return { facts, broken }
  })
}

/** What the event promises in the token, by place. */
async function promisedByPlace(
  tx: Db,
  { number, winners }: Pick<Event, 'number' | 'winners'>,
): Promise<bigint[]> {
  const places = (await promisedTokenPrizes(tx, number)).get(number)
  return places ? Array.from({ length: winners }, (_, index) => places.get(index + 1) ?? 0n) : []
}

/** It holds where every balance was told and is what the transfers say; what was not asked is as it was. */
async function equationOf(
  tx: Db,
  event: { number: number; token: Address },
  { balances }: Sums,
  asked: Asked,
): Promise<PublicSolvency['equation']> {
  if (await isEquationBroken(tx, event.token)) return 'broken'
  if (!asked) {
    const { equation } = await loadSolvency(tx, event)
    return equation === 'broken' ? 'unknown' : equation
  }
  if ('gap' in asked || balances.size === 0) return 'unknown'
  const agrees = [...asked.told].every(([wallet, units]) => balances.get(wallet) === units)
  return agrees && [...balances.keys()].every((wallet) => asked.told.has(wallet)) ? 'holds' : 'unknown'
}
