import { and, asc, eq, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { outgoingTransfers, prizes, transferMarks } from '../schema/index.ts'
import { matchSteps, type Wanted } from './steps.ts'

type Paid = { units: bigint; at: Date; transactionHash: Hash }

/**
 * Puts token prizes where the transfers that administrators have marked for them say. Safe to run twice. To be called in
 * the transaction that records, removes or marks a transfer.
 */
export async function settleTokenPrizes(tx: Db): Promise<void> {
  const owed = await tx
    .select()
    .from(prizes)
    .where(eq(prizes.kind, 'token'))
    .orderBy(asc(prizes.eventNumber), asc(prizes.place))
    .for('update')
  if (owed.length === 0) return
  const paid = await paidPrizes(tx)
  let isChanged = false
  for (const prize of owed) {
    const sent = paid.get(keyOf(prize))
    const isPaid = sent !== undefined && sent.units >= (prize.units as bigint)
    const wanted: Wanted[] = isPaid
      ? [{ step: 'paid', at: sent.at, wallet: prize.wallet, transactionHash: sent.transactionHash }]
      : []
    if (await matchSteps(tx, prize, ['paid'], wanted)) isChanged = true
    const state = isPaid ? 'paid' : 'due'
    if (state === prize.state) continue
    await tx
      .update(prizes)
      .set({ state })
      .where(and(eq(prizes.eventNumber, prize.eventNumber), eq(prizes.place, prize.place)))
    isChanged = true
  }
  if (isChanged) await bumpVersion(tx)
}

/** What was sent for each token prize, by `keyOf`; time and hash are the last transfer's. */
export async function paidPrizes(db: Db): Promise<Map<string, Paid>> {
  const rows = await db
    .select({
      eventNumber: transferMarks.eventNumber,
      place: transferMarks.place,
      units: sql<string>`sum(${outgoingTransfers.units})`,
      last: sql<
        [string, Hash]
      >`(array_agg(jsonb_build_array(${outgoingTransfers.blockTime}, ${outgoingTransfers.transactionHash})
        order by ${outgoingTransfers.blockNumber} desc, ${outgoingTransfers.firstLogIndex} desc))[1]`,
    })
    .from(transferMarks)
    .innerJoin(
      outgoingTransfers,
      and(
        eq(outgoingTransfers.transactionHash, transferMarks.transactionHash),
        eq(outgoingTransfers.wallet, transferMarks.wallet),
        eq(outgoingTransfers.recipient, transferMarks.recipient),
      ),
    )
    .innerJoin(
      prizes,
      and(
        eq(prizes.eventNumber, transferMarks.eventNumber),
        eq(prizes.place, transferMarks.place),
        eq(prizes.token, outgoingTransfers.token),
        eq(prizes.wallet, outgoingTransfers.recipient),
      ),
    )
    .where(eq(transferMarks.markedAs, 'prize'))
    .groupBy(transferMarks.eventNumber, transferMarks.place)
  return new Map(
    rows.map(({ eventNumber, place, units, last: [at, transactionHash] }) => [
      `${eventNumber} ${place}`,
      { units: BigInt(units), at: new Date(at), transactionHash },
    ]),
  )
}

export const keyOf = ({ eventNumber, place }: { eventNumber: number; place: number }): string =>
  `${eventNumber} ${place}`
