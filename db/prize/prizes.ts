import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash } from 'viem'
import { claimCommitment } from '../../core/prize/claim.ts'
import {
  type PrizeAct,
  type PublicPrize,
  type PublicPrizeStep,
  promisesOf,
} from '../../core/prize/promise.ts'
import { type Claim, type Claimant, type Standing, turnsOf } from '../../core/prize/turns.ts'
import { type DrawnTicket, readDrawn } from '../draw/draws.ts'
import type { Db } from '../index.ts'
import { anchors, draws, events, outgoingTransfers, prizeActs, transferMarks } from '../schema/index.ts'

export type Prize = PublicPrize & {
  /** Of the parcel that is on its way; not public. */
  tracking: string | null
  unpaid: bigint
}
/** On chain where it has a transaction. */
type FoundClaim = Claim & { transactionHash: Hash | null }

/** Up to then all claims are known, in seconds: payments and register were both read so far. 0 while nothing was. */
export async function claimTime(db: Db): Promise<number> {
  const [row] = await db.execute<{ at: number | null }>(sql`
    select case when bool_or(name = 'payments') then extract(epoch from min(block_time))::int end as at from cursors`)
  return row?.at ?? 0
}

/** Of these events, in the order of their numbers and places, announced or not. */
export async function readPrizes(db: Db, eventNumbers: readonly number[]): Promise<Prize[]> {
  if (eventNumbers.length === 0) return []
  const rows = await db
    .select({ event: events, draw: draws })
    .from(draws)
    .innerJoin(events, eq(events.number, draws.eventNumber))
    .where(inArray(draws.eventNumber, [...eventNumbers]))
    .orderBy(asc(draws.eventNumber))
  if (rows.length === 0) return []
  const numbers = rows.map(({ draw }) => draw.eventNumber)
  // One question each, however many events the history has.
  const drawn = await readDrawn(db, numbers)
  const said = await db
    .select()
    .from(prizeActs)
    .where(inArray(prizeActs.eventNumber, numbers))
    .orderBy(asc(prizeActs.id))
  const facts: Facts = {
    now: await claimTime(db),
    drawn,
    claims: [
      ...said
        .filter(({ act }) => act === 'claimed')
        .map((one) => ({ ...one, at: secondsAt(one.at), transactionHash: null })),
      ...(await claimsOnChain(
        db,
        numbers,
        drawn.map(({ payer }) => payer),
      )),
    ],
    acts: said.flatMap(({ act, ...one }) => (act === 'claimed' ? [] : { ...one, act })),
    sent: await sentByMarks(db, numbers),
  }
  return rows.flatMap((row) => prizesOf(row, facts))
}

type Drawn = { event: typeof events.$inferSelect; draw: typeof draws.$inferSelect }
type Facts = {
  now: number
  drawn: readonly DrawnTicket[]
  claims: readonly (FoundClaim & { eventNumber: number })[]
  acts: readonly Act[]
  sent: readonly Sent[]
}

function prizesOf({ event, draw }: Drawn, { now, drawn, claims, acts, sent }: Facts): Prize[] {
  const eventNumber = event.number
  const isIts = (one: { eventNumber: number | null }) => one.eventNumber === eventNumber
  const ofKind = (kind: DrawnTicket['kind']) =>
    drawn
      .filter((one) => isIts(one) && one.kind === kind)
      .map(({ place, payer }) => ({ place, wallet: payer }))
  const winners = ofKind('winner')
  const reserves = ofKind('reserve').map(({ wallet }) => wallet)
  const promised = promisesOf(event)
  const since = draw.turnsFrom
  const standings = turnsOf<FoundClaim>({
    ...{ drawnAt: secondsAt(since), claimDays: event.claimDays, reserves, now },
    winners: winners.filter(({ place }) => promised[place - 1]?.kind !== 'token'),
    claims: claims.filter(isIts),
  })
  return winners.map(({ place, wallet }) => {
    const drawn = step('drawn', since, wallet)
    const units = promised[place - 1]?.units
    const standing = standings.find((one) => one.place === place)
    const isOfPlace = (one: { eventNumber: number | null; place: number | null }) =>
      isIts(one) && one.place === place
    const prize = standing
      ? goodsPrize(standing, acts.filter(isOfPlace), drawn)
      : tokenPrize(
          { place, wallet, units: units ?? '0' },
          sent.filter((one) => isOfPlace(one) && one.recipient === wallet && one.token === event.token),
          drawn,
        )
    return { eventNumber, place, ...prize }
  })
}

/** Money is sent where transfers that were marked for it reach its amount; nothing has to be claimed, and it never lapses. */
function tokenPrize(
  { place, wallet, units }: { place: number; wallet: Address; units: string },
  paid: readonly Sent[],
  drawn: PublicPrizeStep,
) {
  const unpaid = BigInt(units) - paid.reduce((sum, one) => sum + one.units, 0n)
  const last = paid.at(-1)
  const isSent = unpaid <= 0n && last !== undefined
  return {
    ...{ kind: 'token' as const, units, claimBy: null, tracking: null },
    state: isSent ? ('sent' as const) : ('due' as const),
    holder: holderOf({ kind: 'winner', place, wallet }),
    steps: isSent
      ? [drawn, { ...step('sent', last.at, wallet), transactionHash: last.transactionHash }]
      : [drawn],
    unpaid: unpaid > 0n ? unpaid : 0n,
  }
}

type Act = typeof prizeActs.$inferSelect & { act: PrizeAct }

function goodsPrize(
  { turns, holder, claim }: Standing<FoundClaim>,
  acts: readonly Act[],
  drawn: PublicPrizeStep,
) {
  const last = acts.at(-1)
  const onItsWay = last && last.act !== 'corrected' ? last.act : undefined
  const until = turns.at(-1)?.until
  const claimed =
    claim && holder
      ? [
          {
            ...step('claimed', momentOf(claim.at), holder.wallet),
            transactionHash: claim.transactionHash,
          },
        ]
      : []
  return {
    ...{ kind: 'goods' as const, units: null, holder: holder && holderOf(holder), unpaid: 0n },
    state: onItsWay ?? (claim ? ('claimed' as const) : ('unclaimed' as const)),
    claimBy: claim || !holder || until === undefined ? null : momentOf(until).toISOString(),
    tracking: onItsWay ? (acts.findLast(({ act }) => act === 'sent')?.tracking ?? null) : null,
    steps: [
      drawn,
      ...turns.slice(1).map(({ claimant, from }) => step('turn', momentOf(from), claimant.wallet)),
      ...claimed,
      ...acts
        // Another number of the same parcel is no step.
        .filter(({ act }, index) => act !== 'sent' || acts[index - 1]?.act !== 'sent')
        .map(({ act, at, wallet, reason }) => ({ ...step(act, at, wallet), reason })),
    ],
  }
}

const holderOf = ({ kind, place, wallet }: Claimant) => ({ kind, place, walletAddress: getAddress(wallet) })

const step = (name: PublicPrizeStep['step'], at: Date, wallet: Address): PublicPrizeStep => ({
  ...{
    step: name,
    at: at.toISOString(),
    walletAddress: getAddress(wallet),
    transactionHash: null,
    reason: null,
  },
})

/** A turn begins with the draw, so what was anchored before it claims nothing. */
async function claimsOnChain(db: Db, numbers: readonly number[], drawn: readonly Address[]) {
  const found = await db
    .select()
    .from(anchors)
    .where(
      and(
        inArray(anchors.eventNumber, [...numbers]),
        eq(anchors.commitment, claimCommitment),
        inArray(anchors.wallet, [...new Set(drawn)]),
      ),
    )
    .orderBy(asc(anchors.blockNumber), asc(anchors.logIndex))
  return found.map(({ eventNumber, wallet, blockTime, transactionHash }) => ({
    ...{ eventNumber, wallet, at: secondsAt(blockTime), transactionHash },
  }))
}

type Sent = Awaited<ReturnType<typeof sentByMarks>>[number]

/** Final transfers that an administrator has marked as sent for a prize, in chain order. */
const sentByMarks = (db: Db, numbers: readonly number[]) =>
  db
    .select({
      eventNumber: transferMarks.eventNumber,
      place: transferMarks.place,
      recipient: outgoingTransfers.recipient,
      token: outgoingTransfers.token,
      units: outgoingTransfers.units,
      at: outgoingTransfers.blockTime,
      transactionHash: outgoingTransfers.transactionHash,
    })
    .from(transferMarks)
    .innerJoin(
      outgoingTransfers,
      and(
        eq(outgoingTransfers.transactionHash, transferMarks.transactionHash),
        eq(outgoingTransfers.wallet, transferMarks.wallet),
        eq(outgoingTransfers.recipient, transferMarks.recipient),
        isNull(outgoingTransfers.total),
      ),
    )
    .where(and(eq(transferMarks.markedAs, 'prize'), inArray(transferMarks.eventNumber, [...numbers])))
    .orderBy(asc(outgoingTransfers.blockNumber), asc(outgoingTransfers.firstLogIndex))

const secondsAt = (moment: Date): number => Math.floor(moment.getTime() / 1000)
const momentOf = (seconds: number): Date => new Date(seconds * 1000)
