import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { ClaimTerms } from '../../core/prize/claim.ts'
import type { PrizeAct } from '../../core/prize/promise.ts'
import { isRevealed, readDrawn } from '../draw/draws.ts'
import { isFarBehind } from '../event/sale.ts'
import { bumpVersion } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { draws, events, payerCodes, prizeActs } from '../schema/index.ts'
import { claimTime, type Prize, readPrizes } from './prizes.ts'

export type Claimable = ClaimTerms &
  Pick<Prize, 'kind' | 'state' | 'claimBy'> & { formUrl: string | null; holderIsContract: boolean | null }
export type Signed = {
  wallet: Address
  message: string
  signature: Hex
  nonce: string
  proof: 'personal' | 'contract'
}

export async function listClaimable(db: Db, eventNumber: number): Promise<Claimable[]> {
  const [row] = await db
    .select({ event: events })
    .from(draws)
    .innerJoin(events, eq(events.number, draws.eventNumber))
    .where(and(eq(draws.eventNumber, eventNumber), isRevealed))
  if (!row) return []
  const { event } = row
  const [prizes, drawn] = [await readPrizes(db, [eventNumber]), await readDrawn(db, [eventNumber])]
  const holders = prizes.flatMap(({ holder }) => (holder ? walletOf(holder) : []))
  const codes = await db.select().from(payerCodes).where(inArray(payerCodes.payer, holders))
  return prizes.flatMap(({ holder, kind, state, claimBy, place }) => {
    if (!holder) return []
    const ofHolder = drawn.find((one) => one.kind === holder.kind && one.place === holder.place)
    const code = codes.find(({ payer }) => payer === walletOf(holder))
    return {
      ...{ eventNumber, chainId: event.chainId, place, winners: event.winners, kind, state, claimBy },
      operatorWallet: getAddress(event.operatorWallet as Address),
      walletAddress: holder.walletAddress,
      winningTicket: ofHolder?.ticket ?? 0,
      ...{ holderIsContract: code?.isContract ?? null, formUrl: event.googleFormUrl },
    }
  })
}

/** As tables have it. */
const walletOf = ({ walletAddress }: { walletAddress: Address }) => walletAddress.toLowerCase() as Address

/** Signed words are dated by `claimTime`, so that has to be a new one, for the register too. Throws NOT_FINAL. */
export async function expectFreshChain(db: Db): Promise<Date> {
  const blockTime = new Date((await claimTime(db)) * 1_000)
  if (await isFarBehind(db, { blockTime })) throw notRead()
  return blockTime
}

const notRead = () => new RaffleError('NOT_FINAL', { reason: 'claims' })

/**
 * Dated by the newest final block; the same holder may claim again. Throws CLAIM_USED, CLAIM_CLOSED, NOT_FINAL where the chain
 * was not read for ten minutes or since the draw: a turn would not end meanwhile.
 */
export async function claimPrize(
  db: Db,
  { eventNumber, place }: { eventNumber: number; place: number },
  signed: Signed,
): Promise<void> {
  await db.transaction(async (tx) => {
    // One at a time: who claims in the last second of a turn is seen by whoever claims after it.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`prizes ${eventNumber}`}))`)
    const at = await expectFreshChain(tx)
    const [draw] = await tx.select().from(draws).where(eq(draws.eventNumber, eventNumber))
    if (draw && at < draw.turnsFrom) throw notRead()
    const { count: said } = await tx
      .insert(prizeActs)
      .values({ eventNumber, place, act: 'claimed', ...signed, at })
      .onConflictDoNothing()
    if (said === 0) throw new RaffleError('CLAIM_USED')
    const prize = (await readPrizes(tx, [eventNumber])).find((one) => one.place === place)
    const isHolder = prize?.holder && walletOf(prize.holder) === signed.wallet
    if (prize?.kind !== 'goods' || !isHolder || prize.state === 'unclaimed')
      throw new RaffleError('CLAIM_CLOSED', { reason: 'turn' })
    await bumpVersion(tx)
  })
}

type Said = { eventNumber: number; place: number; act: PrizeAct; tracking?: string | null; reason?: string }

/** From which states an act is possible, and what is said where it is not. */
const possible: Record<PrizeAct, { from: readonly Prize['state'][]; no: 'unclaimed' | 'unsent' }> = {
  sent: { from: ['claimed', 'sent'], no: 'unclaimed' },
  corrected: { from: ['sent', 'delivered'], no: 'unsent' },
  delivered: { from: ['sent'], no: 'unsent' },
}

/** Sent (again, with another number), delivered, or corrected, in public. Throws NOT_FOUND, CLAIM_CLOSED, ALREADY_PROCESSED. */
export async function sayOfPrize(tx: Db, { eventNumber, place, ...said }: Said): Promise<Prize> {
  // One at a time: two administrators may say something of the same prize.
  await tx.select().from(events).where(eq(events.number, eventNumber)).for('update')
  const prize = (await readPrizes(tx, [eventNumber])).find((one) => one.place === place)
  if (!prize) throw new RaffleError('NOT_FOUND', { reason: 'prize' })
  const { from, no } = possible[said.act]
  if (prize.state === 'delivered' && said.act !== 'corrected')
    throw new RaffleError('ALREADY_PROCESSED', { reason: 'prize' })
  if (prize.kind !== 'goods' || !prize.holder || !from.includes(prize.state))
    throw new RaffleError('CLAIM_CLOSED', { reason: no })
  await tx.insert(prizeActs).values({ eventNumber, place, wallet: walletOf(prize.holder), ...said })
  await bumpVersion(tx)
  return prize
}

/** Drawn wallets of which nobody knows yet whether a contract signs for them; a reserve's turn may come long after the archive. */
export async function unseenHolders(db: Db): Promise<Address[]> {
  const rows = await db.execute<{ payer: Address }>(sql`
    select distinct payer from drawn_tickets d
    where not exists (select from payer_codes c where c.payer = d.payer) order by 1`)
  return rows.map(({ payer }) => payer)
}
