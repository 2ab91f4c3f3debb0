import { and, asc, eq, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { ClaimPurpose, ClaimTerms } from '../../core/prize/claim.ts'
import { isRevealed } from '../draw/revealed.ts'
import { getScanCursor, isFarBehind, type ScanCursor } from '../event/scan-cursor.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import {
  claimNonces,
  draws,
  events,
  prizeClaims,
  prizeReceipts,
  prizeSteps,
  prizes,
} from '../schema/index.ts'
import { addStep } from './steps.ts'
import { lockPrizes, type Prize, turnPrizes } from './turns.ts'

/** What the holder of a prize signs, by place; empty before the winners are announced. */
export type Claimable = ClaimTerms &
  Pick<Prize, 'kind' | 'state' | 'claimBy' | 'holderIsContract'> & { formUrl: string | null }
/** A message of ours that the holder has signed. */
export type Signed = {
  wallet: Address
  message: string
  signature: Hex
  nonce: string
  proof: 'personal' | 'contract'
}

/** The prizes that have a holder. */
export async function listClaimable(db: Db, eventNumber: number): Promise<Claimable[]> {
  const rows = await db
    .select({ prize: prizes, event: events, draw: draws })
    .from(prizes)
    .innerJoin(events, eq(events.number, prizes.eventNumber))
    .innerJoin(draws, eq(draws.eventNumber, prizes.eventNumber))
    .where(and(eq(prizes.eventNumber, eventNumber), isRevealed))
    .orderBy(asc(prizes.place))
  return rows.flatMap(({ prize, event, draw }) => {
    if (prize.holderWallet === null || prize.holderPlace === null) return []
    const drawn = prize.holderKind === 'reserve' ? draw.reserves : draw.winners
    return {
      ...{ eventNumber, chainId: event.chainId, place: prize.place, winners: event.winners },
      operatorWallet: getAddress(event.operatorWallet as Address),
      walletAddress: getAddress(prize.holderWallet),
      winningTicket: drawn[prize.holderPlace - 1]?.ticket ?? 0,
      ...{ kind: prize.kind, state: prize.state, claimBy: prize.claimBy },
      ...{ holderIsContract: prize.holderIsContract, formUrl: event.googleFormUrl },
    }
  })
}

/**
 * Before anybody is asked about a signature: throws CLAIM_CLOSED where the turn is over, or the prize has not been sent, and
 * NOT_FINAL while the chain has not been read for ten minutes.
 */
export async function expectOpen(
  db: Db,
  purpose: ClaimPurpose,
  { state, claimBy }: Claimable,
): Promise<void> {
  const cursor = await mustReadOn(db)
  if (purpose === 'receipt' && state !== 'shipped' && state !== 'delivered') throw notSent()
  if (purpose === 'claim' && state === 'unclaimed' && claimBy && claimBy <= cursor.blockTime) throw closed()
}

/**
 * Records a claim by signature, with the newest final block as its time. The same holder may claim again, by another message,
 * and nothing changes. Throws CLAIM_USED, CLAIM_CLOSED where it is not this wallet's turn, NOT_FINAL while blocks are being
 * read again, or have not been for ten minutes: a turn would not end as long as the scan stands.
 */
export async function claimPrize(
  db: Db,
  { eventNumber, place }: { eventNumber: number; place: number },
  signed: Signed,
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = ofPlace(await turnPrizes(tx, eventNumber), place)
    const cursor = await mustReadOn(tx)
    if (cursor.blockTime < before.reachedAt) throw notYet()
    await useNonce(tx, signed.nonce)
    if (before.kind !== 'goods' || before.holderWallet !== signed.wallet) throw closed()
    if (before.state !== 'unclaimed') return
    const { nonce: _, ...word } = signed
    await tx
      .insert(prizeClaims)
      .values({ eventNumber, place, ...word, at: cursor.blockTime })
      .onConflictDoNothing()
    const after = ofPlace(await turnPrizes(tx, eventNumber), place)
    if (after.state === 'unclaimed' || after.holderWallet !== signed.wallet) throw closed()
  })
}

/**
 * The holder says that the goods have come. Safe to repeat by another message. Throws CLAIM_USED, CLAIM_CLOSED for a prize
 * that is not on its way to this wallet, NOT_FINAL as above.
 */
export async function confirmDelivery(
  db: Db,
  { eventNumber, place }: { eventNumber: number; place: number },
  signed: Signed,
): Promise<void> {
  await db.transaction(async (tx) => {
    await mustReadOn(tx)
    const { state, holderWallet } = ofPlace(await lockPrizes(tx, eventNumber), place)
    await useNonce(tx, signed.nonce)
    if (holderWallet !== signed.wallet || (state !== 'shipped' && state !== 'delivered')) throw notSent()
    if (state === 'delivered') return
    const { nonce: _, ...word } = signed
    await tx.insert(prizeReceipts).values({ eventNumber, place, ...word })
    await moveOn(tx, { eventNumber, place }, 'delivered', signed.wallet)
  })
}

/** Goods that were claimed are on their way. Throws NOT_FOUND, CLAIM_CLOSED, ALREADY_PROCESSED. */
export async function shipPrize(
  tx: Db,
  { eventNumber, place, tracking }: { eventNumber: number; place: number; tracking: string | null },
): Promise<{ before: Prize; after: Prize }> {
  const prize = (await turnPrizes(tx, eventNumber)).find((one) => one.place === place)
  if (!prize) throw new RaffleError('NOT_FOUND', '해당 경품이 없습니다.')
  if (prize.state === 'delivered') throw new RaffleError('ALREADY_PROCESSED', '이미 받은 경품입니다.')
  if (prize.kind !== 'goods' || prize.state === 'unclaimed' || prize.holderWallet === null)
    throw new RaffleError('CLAIM_CLOSED', '당첨자가 아직 청구하지 않은 경품이거나 USDT 경품입니다.')
  await tx
    .update(prizes)
    .set({ tracking })
    .where(and(eq(prizes.eventNumber, eventNumber), eq(prizes.place, place)))
  if (prize.state === 'claimed') await moveOn(tx, { eventNumber, place }, 'shipped', prize.holderWallet)
  return { before: prize, after: ofPlace(await lockPrizes(tx, eventNumber), place) }
}

/**
 * Goods that were said to be on their way are not: they are to be sent again, and everybody reads that, when and why. The
 * parcel's number goes. Throws NOT_FOUND, CLAIM_CLOSED where nothing was said to be sent, ALREADY_PROCESSED once it has come.
 */
export async function correctShipped(
  tx: Db,
  { eventNumber, place, reason }: { eventNumber: number; place: number; reason: string },
): Promise<{ before: Prize; after: Prize }> {
  const before = (await lockPrizes(tx, eventNumber)).find((one) => one.place === place)
  if (!before) throw new RaffleError('NOT_FOUND', '해당 경품이 없습니다.')
  if (before.state === 'delivered')
    throw new RaffleError('ALREADY_PROCESSED', '받은 사람이 이미 수령을 서명한 경품입니다.')
  if (before.state !== 'shipped' || before.holderWallet === null)
    throw new RaffleError('CLAIM_CLOSED', '발송으로 표시된 경품이 아닙니다.')
  await tx
    .update(prizes)
    .set({ tracking: null })
    .where(and(eq(prizes.eventNumber, eventNumber), eq(prizes.place, place)))
  await moveOn(tx, { eventNumber, place }, 'corrected', before.holderWallet, reason)
  return { before, after: ofPlace(await lockPrizes(tx, eventNumber), place) }
}

async function moveOn(
  tx: Db,
  prize: { eventNumber: number; place: number },
  step: 'shipped' | 'corrected' | 'delivered',
  wallet: Address,
  reason?: string,
): Promise<void> {
  const state = step === 'corrected' ? 'claimed' : step
  const [last] = await tx
    .select({ at: sql<string>`greatest(now(), max(${prizeSteps.at}))` })
    .from(prizeSteps)
    .where(and(eq(prizeSteps.eventNumber, prize.eventNumber), eq(prizeSteps.place, prize.place)))
  // Nobody reads of a prize that came before it was sent, whatever clock is ahead.
  const at = new Date(last?.at as string)
  await addStep(tx, prize, { step, at, wallet, transactionHash: null, ...(reason && { reason }) })
  // Behind its step: without one the database takes nothing back.
  await tx
    .update(prizes)
    .set({ state })
    .where(and(eq(prizes.eventNumber, prize.eventNumber), eq(prizes.place, prize.place)))
  await bumpVersion(tx)
}

/** Signed words are dated by the newest final block, so it has to be a new one. */
async function mustReadOn(db: Db): Promise<ScanCursor> {
  const cursor = await getScanCursor(db)
  if (!cursor || (await isFarBehind(db, cursor)))
    throw new RaffleError(
      'NOT_FINAL',
      'The chain has not been read for a while. Claim on the chain meanwhile, or try again later.',
    )
  return cursor
}

async function useNonce(tx: Db, nonce: string): Promise<void> {
  const [used] = await tx.insert(claimNonces).values({ nonce }).onConflictDoNothing().returning()
  if (!used)
    throw new RaffleError('CLAIM_USED', 'This message was used before. Ask for a new one and sign that.')
}

const ofPlace = (all: readonly Prize[], place: number): Prize => {
  const prize = all.find((one) => one.place === place)
  if (!prize) throw new RaffleError('NO_WINNER', `No winner of this event has place ${place}.`)
  return prize
}

const closed = () => new RaffleError('CLAIM_CLOSED', 'It is not this wallet’s turn to claim this prize.')
const notSent = () => new RaffleError('CLAIM_CLOSED', 'This prize has not been sent to this wallet’s holder.')
const notYet = () => new RaffleError('NOT_FINAL', 'The chain is being read again. Try again in a moment.')
