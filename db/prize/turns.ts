import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { type Claim, type Standing, turnsOf } from '../../core/prize/turns.ts'
import { paymentsOfDrawn } from '../draw/drawn-tickets.ts'
import { getScanCursor } from '../event/scan-cursor.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { draws, events, payments, prizeClaims, prizeSteps, prizes, scanCursor } from '../schema/index.ts'
import { matchSteps, type Wanted } from './steps.ts'

export type Prize = typeof prizes.$inferSelect
/** On chain where it has a transaction. */
type FoundClaim = Claim & { transactionHash: Hash | null }

/** The prizes of an event, which nobody else changes until this transaction ends. */
export const lockPrizes = (tx: Db, eventNumber: number): Promise<Prize[]> =>
  tx.select().from(prizes).where(eq(prizes.eventNumber, eventNumber)).orderBy(asc(prizes.place)).for('update')

/**
 * Writes down whose turn each prize is and who has claimed, as final blocks and signed claims have it. Safe to run twice and
 * by many processes: the rule says the same to each, and the rows are locked. Returns the prizes as they are now.
 */
export async function turnPrizes(tx: Db, eventNumber: number): Promise<Prize[]> {
  const all = await lockPrizes(tx, eventNumber)
  const cursor = await getScanCursor(tx)
  const now = latest(all, cursor?.blockTime)
  // Blocks are being read again: until they are, what was known stays.
  if (all.length === 0 || !cursor || cursor.blockTime < now) return all
  const goods = all.filter(({ kind }) => kind === 'goods')
  const kept = goods.filter(({ state }) => state === 'shipped' || state === 'delivered')
  const [first] = goods
  if (!first || kept.length === goods.length) return all
  const { claimDays, operatorWallet, reserves } = await termsOf(tx, eventNumber)
  const drawn = [...goods.map(({ wallet }) => wallet), ...reserves]
  const standings = turnsOf<FoundClaim>({
    ...{ drawnAt: secondsAt(first.drawnAt), now: secondsAt(now), claimDays, reserves },
    winners: goods.map(({ place, wallet }) => ({ place, wallet })),
    claims: await claimsOf(tx, eventNumber, { operatorWallet, drawn, drawnAt: first.drawnAt }),
    kept: new Map(kept.map(({ place, holderWallet }) => [place, holderWallet as Address])),
  })
  let isChanged = false
  for (const standing of standings) {
    const place = { eventNumber, place: standing.place }
    const [row] = goods.filter((one) => one.place === standing.place)
    const isSameHolder = (row?.holderWallet ?? null) === (standing.holder?.wallet ?? null)
    // The last turn went by, which is no step of anybody's.
    if (!(await matchSteps(tx, place, ['turn', 'claimed'], stepsOf(standing))) && isSameHolder) continue
    isChanged = true
    await tx
      .update(prizes)
      .set({ ...columnsOf(standing), ...(!isSameHolder && { holderIsContract: null }), reachedAt: now })
      .where(and(eq(prizes.eventNumber, eventNumber), eq(prizes.place, standing.place)))
  }
  if (isChanged) await bumpVersion(tx)
  return lockPrizes(tx, eventNumber)
}

/** Moves every turn on that is over. A worker's sweep. */
export async function sweepPrizes(db: Db): Promise<void> {
  for (const number of await dueTurns(db)) await db.transaction((tx) => turnPrizes(tx, number))
}

/** Moves on the turns of every event in which something may have become of a prize that is not on its way. */
export async function turnUnsettled(tx: Db): Promise<void> {
  const rows = await tx
    .selectDistinctOn([prizes.eventNumber], { number: prizes.eventNumber })
    .from(prizes)
    .where(and(eq(prizes.kind, 'goods'), inArray(prizes.state, ['unclaimed', 'claimed'])))
    .orderBy(asc(prizes.eventNumber))
  // All before the first: a turn that changes takes the version's lock, behind which no prize may be waited for.
  for (const { number } of rows) await lockPrizes(tx, number)
  for (const { number } of rows) await turnPrizes(tx, number)
}

/**
 * Events with something to write down: a turn is over, its holder has claimed on chain, or the transfer that was a claim is
 * gone or stands in another block.
 */
async function dueTurns(db: Db): Promise<number[]> {
  const isClaim = sql`x.reason = 'claim' and x.payer = p.holder_wallet and ${isToItsWallet(sql`e.operator_wallet`)}`
  const rows = await db.execute<{ number: number }>(sql`
    select distinct p.event_number as number
    from ${prizes} p join ${events} e on e.number = p.event_number join ${scanCursor} c on c.block_time >= p.reached_at
    where p.kind = 'goods' and (
      (p.state = 'unclaimed' and p.holder_wallet is not null and (p.claim_by <= c.block_time or exists (
        select from ${payments} x where ${isClaim} and x.block_time < p.claim_by and x.block_time >= p.claim_by - make_interval(secs => e.claim_days * 86400.0))))
      or (p.state = 'claimed' and exists (
        select from ${prizeSteps} s where s.event_number = p.event_number and s.place = p.place and s.step = 'claimed'
          and s.transaction_hash is not null and not exists (select from ${prizeSteps} u where u.undoes = s.id)
          and not exists (select from ${payments} x where ${isClaim} and x.transaction_hash = s.transaction_hash
            and x.block_time = s.at))))
    order by 1`)
  return rows.map(({ number }) => number)
}

/**
 * A claim `x` went to this wallet of its event, or to that of the event whose time it was, as core/payment/judge had it: that one's wallet
 * and start may change until its first ticket, and what a claim has said stays. What went to another wallet than that of the
 * event whose claim it is was one for sure.
 */
const isToItsWallet = (wallet: SQL): SQL => sql`(x.wallet = ${wallet}
  or x.wallet <> (select own.operator_wallet from ${events} own where own.number = x.event_number)
  or x.wallet = (select r.operator_wallet from ${events} r where r.operator_wallet is not null and r.sale_start <= x.block_time
    order by r.number desc limit 1))`

async function termsOf(tx: Db, eventNumber: number) {
  const [row] = await tx
    .select({ event: events, reserves: draws.reserves })
    .from(events)
    .innerJoin(draws, eq(draws.eventNumber, events.number))
    .where(eq(events.number, eventNumber))
  const reserves = await paymentsOfDrawn(tx, row?.reserves ?? [])
  return {
    claimDays: row?.event.claimDays ?? 0,
    operatorWallet: row?.event.operatorWallet as Address,
    reserves: reserves.map(({ payment }) => payment.payer),
  }
}

async function claimsOf(
  tx: Db,
  eventNumber: number,
  { operatorWallet, drawn, drawnAt }: { operatorWallet: Address; drawn: Address[]; drawnAt: Date },
): Promise<FoundClaim[]> {
  const signed = await tx.select().from(prizeClaims).where(eq(prizeClaims.eventNumber, eventNumber))
  // One transfer of a wallet that was drawn in two events speaks for each of them to whose wallet it went.
  const onChain = await tx.execute<{ payer: Address; at: number; hash: Hash }>(sql`
    select x.payer, extract(epoch from x.block_time)::int as at, x.transaction_hash as hash from ${payments} x
    where x.payer = any(${sql.param(drawn)}::text[]) and x.reason = 'claim' and x.block_time >= ${drawnAt.toISOString()}::timestamptz
      and ${isToItsWallet(sql`${operatorWallet}`)}
    order by x.block_number, x.transaction_index`)
  return [
    ...signed.map(({ wallet, at }) => ({ wallet, at: secondsAt(at), transactionHash: null })),
    ...onChain.map(({ payer, at, hash }) => ({ wallet: payer, at, transactionHash: hash })),
  ]
}

/** The turn of the winner begins with the draw, whose step is there already. */
const stepsOf = ({ turns, claim, holder }: Standing<FoundClaim>): Wanted[] => [
  ...turns.slice(1).map(({ claimant, from }) => ({
    ...{ step: 'turn' as const, at: momentOf(from), wallet: claimant.wallet, transactionHash: null },
  })),
  ...(claim && holder
    ? [
        {
          ...{ step: 'claimed' as const, at: momentOf(claim.at) },
          ...{ wallet: holder.wallet, transactionHash: claim.transactionHash },
        },
      ]
    : []),
]

const columnsOf = ({ turns, holder, claim }: Standing<FoundClaim>) => ({
  state: claim ? ('claimed' as const) : ('unclaimed' as const),
  holderKind: holder?.kind ?? null,
  holderPlace: holder?.place ?? null,
  holderWallet: holder?.wallet ?? null,
  claimBy: claim || !holder ? null : momentOf((turns.at(-1) as Standing<FoundClaim>['turns'][number]).until),
})

const latest = (all: readonly Prize[], reached: Date | undefined): Date =>
  new Date(Math.max(reached?.getTime() ?? 0, ...all.map(({ reachedAt }) => reachedAt.getTime())))
const secondsAt = (moment: Date): number => Math.floor(moment.getTime() / 1000)
const momentOf = (seconds: number): Date => new Date(seconds * 1000)
