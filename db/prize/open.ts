import { eq } from 'drizzle-orm'
import { promisesOf } from '../../core/prize/promise.ts'
import { secondsOf } from '../../core/prize/turns.ts'
import { paymentsOfDrawn } from '../draw/drawn-tickets.ts'
import { getScanCursor } from '../event/scan-cursor.ts'
import type { Db } from '../index.ts'
import { draws, events, prizeSteps, prizes } from '../schema/index.ts'

/**
 * Opens the record of each prize of an event, in the transaction of its draw: what was drawn before there were records keeps
 * none, as its turns would begin long after its winners were told. Turns begin with the newest final block that is known, never with a clock.
 * Safe to run twice: the second run adds nothing.
 */
export async function openPrizes(tx: Db, eventNumber: number): Promise<void> {
  const [row] = await tx
    .select()
    .from(draws)
    .innerJoin(events, eq(events.number, draws.eventNumber))
    .where(eq(draws.eventNumber, eventNumber))
  const cursor = await getScanCursor(tx)
  if (!row || !cursor) return
  const { events: event, draws: draw } = row
  const promised = promisesOf(event)
  const drawnAt = cursor.blockTime
  const claimBy = new Date(drawnAt.getTime() + secondsOf(event.claimDays) * 1000)
  const records = (await paymentsOfDrawn(tx, draw.winners)).flatMap(({ payment: { payer } }, index) => {
    const { kind, units } = promised[index] ?? { kind: 'goods' as const, units: null }
    const place = index + 1
    return {
      ...{ eventNumber, place, kind, wallet: payer, token: event.token, drawnAt, reachedAt: drawnAt },
      ...{ units: units === null ? null : BigInt(units), drawnBlock: cursor.height },
      ...{ holderKind: 'winner' as const, holderPlace: place, holderWallet: payer },
      ...(kind === 'token'
        ? { state: 'due' as const, claimBy: null }
        : { state: 'unclaimed' as const, claimBy }),
    }
  })
  const added = await tx.insert(prizes).values(records).onConflictDoNothing().returning()
  if (added.length === 0) return
  await tx
    .insert(prizeSteps)
    .values(
      added.map(({ place, wallet }) => ({ eventNumber, place, step: 'drawn' as const, at: drawnAt, wallet })),
    )
}
