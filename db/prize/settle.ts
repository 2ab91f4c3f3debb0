import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { type Sent, settlePrizes, type TokenPrize } from '../../core/prize/token.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { lockRefunds } from '../refund/accounts.ts'
import { reconcile } from '../refund/reconcile.ts'
import { operatorTransfers, prizes } from '../schema/index.ts'
import { matchSteps, type Wanted } from './steps.ts'

type Transfer = typeof operatorTransfers.$inferSelect
type Prize = TokenPrize & { state: 'due' | 'paid' }

/**
 * Puts the token prizes of these wallets where final transfers and marks say, and the transfers with them; what is no prize, or
 * none any more, is left to the books of refunds. Safe to run twice. Call it before `reconcile`, in the transaction that
 * records, removes or marks a transfer, under the lock of the refunds.
 */
export async function settleTokenPrizes(tx: Db, recipients: readonly Address[]): Promise<void> {
  const owed = await tokenPrizesOf(tx, recipients)
  if (owed.length === 0) return
  const transfers = await transfersOf(tx, owed)
  const live = transfers.filter(({ isGone }) => !isGone)
  const { paid, unpaid } = settlePrizes(owed, live.map(toSent))
  let isChanged = false
  for (const transfer of transfers) {
    const prize = transfer.isGone ? undefined : paid.get(keyOf(transfer))?.prize
    if (await allocate(tx, transfer, prize)) isChanged = true
  }
  for (const prize of owed) {
    const isPaid = unpaid.get(prize) === 0n
    const last = live.findLast((transfer) => paid.get(keyOf(transfer))?.prize === prize)
    const wanted: Wanted[] =
      isPaid && last
        ? [{ step: 'paid', at: last.blockTime, wallet: prize.wallet, transactionHash: last.transactionHash }]
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

/** As settleTokenPrizes, for transfers that may have been taken for refunds meanwhile: takes the lock, and the books follow. */
export async function settlePaidPrizes(tx: Db, recipients: readonly Address[]): Promise<void> {
  if (recipients.length === 0) return
  await lockRefunds(tx)
  await settleTokenPrizes(tx, recipients)
  await reconcile(tx, recipients)
}

async function tokenPrizesOf(tx: Db, recipients: readonly Address[]): Promise<Prize[]> {
  if (recipients.length === 0) return []
  const rows = await tx
    .select()
    .from(prizes)
    .where(and(eq(prizes.kind, 'token'), sql`${prizes.wallet} = any(${sql.param([...recipients])}::text[])`))
    .orderBy(asc(prizes.eventNumber), asc(prizes.place))
    .for('update')
  return rows.map(({ eventNumber, place, token, wallet, units, drawnBlock, state }) => ({
    ...{ eventNumber, place, token, wallet, drawnBlock },
    ...{ units: units as bigint, state: state as Prize['state'] },
  }))
}

/** All that was ever sent to these wallets, and what had been taken for one of their prizes, in the order of the books. */
const transfersOf = (tx: Db, owed: readonly Prize[]): Promise<Transfer[]> =>
  tx
    .select()
    .from(operatorTransfers)
    .where(
      or(
        inArray(operatorTransfers.recipient, [...new Set(owed.map(({ wallet }) => wallet))]),
        ...owed.map(({ eventNumber, place }) =>
          and(eq(operatorTransfers.prizeEvent, eventNumber), eq(operatorTransfers.prizePlace, place)),
        ),
      ),
    )
    .orderBy(
      asc(operatorTransfers.blockNumber),
      asc(operatorTransfers.transactionHash),
      asc(operatorTransfers.logPosition),
    )

/** True if the transfer was taken for something else before. */
async function allocate(tx: Db, transfer: Transfer, prize: Prize | undefined): Promise<boolean> {
  const [prizeEvent, prizePlace] = prize ? [prize.eventNumber, prize.place] : [null, null]
  if (transfer.prizeEvent === prizeEvent && transfer.prizePlace === prizePlace) return false
  await tx
    .update(operatorTransfers)
    // Of a row it was allocated to nothing is left; the books give it one again where it is no prize any more.
    .set({ prizeEvent, prizePlace, ...(prize && { rowId: null }) })
    .where(
      and(
        eq(operatorTransfers.transactionHash, transfer.transactionHash),
        eq(operatorTransfers.logPosition, transfer.logPosition),
      ),
    )
  return true
}

const keyOf = ({ transactionHash, logPosition }: Transfer): string => `${transactionHash} ${logPosition}`

const toSent = (transfer: Transfer): Sent => ({
  key: keyOf(transfer),
  ...{ token: transfer.token, recipient: transfer.recipient, units: transfer.units },
  ...{ blockNumber: transfer.blockNumber, debtor: transfer.debtor },
  mark: transfer.markedAs ?? (transfer.notRefund ? 'other' : null),
})
