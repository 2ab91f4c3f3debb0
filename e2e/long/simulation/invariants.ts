import { asc, eq, sql } from 'drizzle-orm'
import { numberToHex, zeroAddress } from 'viem'
import { firstSaleStart } from '../../../db/event/reread.ts'
import { getScanCursor } from '../../../db/event/scan-cursor.ts'
import { fingerprintLedger, ledgerPages } from '../../../db/payment/ledger.ts'
import { refundFacts } from '../../../db/refund/totals.ts'
import {
  claims,
  draws,
  events,
  operatorTransfers,
  operatorWallets,
  payments,
} from '../../../db/schema/index.ts'
import { usdt } from '../../lab/usdt.ts'
import { hasHole } from './holes.ts'
import { type Folded, type FoldedPayment, foldChain, type PublicTerms } from './independent-fold.ts'
import type { World } from './world.ts'

/** What must hold and does not: the invariant's name in docs/security, and what was seen instead. */
export type Broken = { name: string; saw: string }
type Check = (name: string, isTrue: boolean, saw: () => unknown) => void

/** Everything that must hold once all endpoints tell the truth and the work is done. */
export async function brokenInvariants(world: World): Promise<Broken[]> {
  const broken: Broken[] = []
  const check: Check = (name, isTrue, saw) => {
    if (!isTrue) broken.push({ name, saw: text(saw()) })
  }
  const cursor = await getScanCursor(world.db)
  if (!cursor) return [{ name: 'liveness', saw: 'nothing was scanned' }]
  const folded = await foldChain(world.url, await publicTerms(world), Number(cursor.height))
  await checkPayments(world, folded, check)
  await checkLedgers(world, folded, check)
  await checkClaims(world, check)
  await checkBalances(world, folded, Number(cursor.height), check)
  return broken
}

const text = (saw: unknown): string => JSON.stringify(saw, (_, v) => (typeof v === 'bigint' ? `${v}` : v))

/** I5 while others may still lie: what is recorded is what the honest chain has, up to the cursor. */
export async function brokenMeanwhile(world: World): Promise<Broken[]> {
  const broken: Broken[] = []
  const cursor = await getScanCursor(world.db)
  if (!cursor) return []
  const folded = await foldChain(world.url, await publicTerms(world), Number(cursor.height))
  await checkPayments(world, folded, (name, isTrue, saw) => {
    if (!isTrue) broken.push({ name: `${name} (at any moment)`, saw: text(saw()) })
  })
  return broken
}

/** An event is drawn or archived: its list is at that moment what the chain says, and never changes again. */
export async function brokenClosing(world: World): Promise<Broken[]> {
  const { db, closed } = world
  const rows = await db
    .select({ event: events, drawn: draws.eventNumber })
    .from(events)
    .leftJoin(draws, eq(draws.eventNumber, events.number))
  const fresh = rows.filter(
    ({ event, drawn }) => (drawn !== null || event.archivedAt) && !closed.has(event.number),
  )
  if (fresh.length === 0) return []
  const cursor = await getScanCursor(db)
  const folded = await foldChain(world.url, await publicTerms(world), Number(cursor?.height ?? 0n))
  const isCanonical = cursor !== undefined && (await hashAt(world, cursor.height)) === cursor.hash
  const isHoled = await hasHole(world)
  // Closed before the scan has seen that blocks were replaced: the list stays as it was told.
  if (!isCanonical) world.isTorn = true
  return (
    await Promise.all(
      fresh.map(async ({ event: { number } }) => {
        const text = await ledgerFile(db, number)
        closed.set(number, text)
        const expected = folded.ledgers.get(number)?.text
        // What everybody had overlooked is `missed` from here on.
        return text === expected || !isCanonical || isHoled
          ? []
          : [{ name: 'list of an event that is over', saw: JSON.stringify({ number, text, expected }) }]
      }),
    )
  ).flat()
}

async function ledgerFile(db: World['db'], event: number): Promise<string> {
  let text = ''
  for await (const page of ledgerPages(db, event)) text += page.text
  return text
}

const hashAt = async ({ ask }: World, height: bigint): Promise<string | undefined> =>
  (await ask<{ hash: string } | null>('eth_getBlockByNumber', numberToHex(height), false))?.hash

/** What the site publishes of its events and wallets. */
async function publicTerms({ db, closed }: World): Promise<PublicTerms> {
  const rows = await db.select().from(events).orderBy(asc(events.number))
  const ours = await db.select().from(operatorWallets)
  const seconds = (date: Date) => date.getTime() / 1000
  const moved = await firstSaleStart(db)
  return {
    token: usdt,
    firstSaleStart: moved ? seconds(moved) : null,
    events: rows.map((row) => ({
      number: row.number,
      wallet: row.operatorWallet as string,
      price: row.ticketPrice,
      saleStart: seconds(row.saleStart),
      saleEnd: row.saleEnd && seconds(row.saleEnd),
      ...{ maxTickets: row.maxTickets, maxPerWallet: row.maxPerWallet },
      closedLedger: closed.get(row.number) ?? null,
    })),
    wallets: ours.map(({ address, since, ownSince }) => ({
      address,
      since: Math.floor(seconds(since)),
      ownSince: ownSince && seconds(ownSince),
    })),
  }
}

/** I1, I2, I4, I5, I8: the records equal the chain, whatever was claimed; and each names a canonical block (I10). */
async function checkPayments(world: World, { payments: expected }: Folded, check: Check) {
  const { db, ask, closed, isTorn } = world
  // Below a drawn list nothing is taken back, so what the chain has lost stays on it.
  const counts = ({ event }: { event: number | null }) => !isTorn || !closed.has(event ?? 0)
  const all = await db
    .select()
    .from(payments)
    .orderBy(asc(payments.blockNumber), asc(payments.transactionIndex), asc(payments.firstLogIndex))
  const rows = all.filter((row) => counts({ event: row.eventNumber }))
  const recorded = rows.map((row) =>
    essence({
      ...{ hash: row.transactionHash, payer: row.payer, wallet: row.wallet, units: row.units },
      ...{ block: Number(row.blockNumber), time: row.blockTime.getTime() / 1000 },
      ...{ transactionIndex: row.transactionIndex, event: row.eventNumber, reason: row.reason },
      ...{ firstTicket: row.ticketNumber ?? 0, tickets: row.ticketCount },
    }),
  )
  const listed = expected.filter((payment) => payment.event !== null && counts(payment))
  const told = new Set(recorded)
  // What came before the sale is on record only if somebody named it, but then as the rules have it.
  const missing = listed
    .filter(({ isBefore }) => !isBefore)
    .flatMap((one) => (told.has(essence(one)) ? [] : essence(one)))
  const allowed = new Set(listed.map(essence))
  const invented = recorded.filter((line) => !allowed.has(line))
  check('I5 payments', missing.length + invented.length === 0, () => ({ missing, invented }))
  check('I1 each once', new Set(recorded).size === recorded.length, () => recorded)
  for (const height of new Set(rows.map((row) => row.blockNumber))) {
    const block = await ask<{ hash: string }>('eth_getBlockByNumber', numberToHex(height), false)
    const told = rows.filter((row) => row.blockNumber === height).map((row) => row.blockHash)
    check(
      'I10 canonical',
      told.every((hash) => hash === block?.hash),
      () => ({ height, told, block: block?.hash }),
    )
  }
}

type Essence = Omit<FoldedPayment, 'reason' | 'isBefore'> & { reason: string | null }
const essence = (p: Essence): string =>
  [
    p.block,
    p.transactionIndex,
    p.hash,
    p.payer,
    p.wallet,
    p.units,
    p.time,
    p.event,
    p.reason,
    p.firstTicket,
    p.tickets,
  ].join()

/** I3: the file byte for byte, its fingerprint, the count; and what is owed for the payments without a ticket. */
async function checkLedgers(
  { db, closed, isTorn }: World,
  { ledgers, payments: folded }: Folded,
  check: Check,
) {
  const signed = new Map(
    (await db.select().from(operatorWallets)).map((wallet) => [`${wallet.address}`, wallet.provenSince]),
  )
  const isOperators = ({ reason, payer, wallet, time }: FoldedPayment) => {
    const since = signed.get(payer)
    const isSigned = since && since.getTime() / 1000 <= time
    return reason === 'held' && (payer === zeroAddress || payer === wallet || isSigned)
  }
  for (const event of await db.select().from(events)) {
    const text = await ledgerFile(db, event.number)
    const expected = ledgers.get(event.number)
    const { sha256 } = await fingerprintLedger(db, event.number)
    check('ledger file', text === expected?.text, () => ({
      event: event.number,
      text,
      expected: expected?.text,
    }))
    check('ledger fingerprint', sha256 === expected?.sha256, () => ({ event: event.number, sha256 }))
    if (event.frozenAt)
      check('frozen fingerprint', event.ledgerSha256 === expected?.sha256, () => ({ event: event.number }))
    check('I3 tickets sold', event.ticketsSold === expected?.tickets, () => ({
      event: event.number,
      sold: event.ticketsSold,
      expected: expected?.tickets,
    }))
    const sum = (isOwed: (payment: FoldedPayment) => boolean) =>
      folded
        .filter((payment) => payment.event === event.number && !payment.isBefore && !isOperators(payment))
        .filter(isOwed)
        .reduce((total, { units }) => total + units, 0n)
    const scope = { eventNumber: event.number }
    const leftovers = await refundFacts(db, { ...scope, kind: 'leftover' })
    const leftover = BigInt(leftovers.totalUnits) + BigInt(leftovers.waiting.totalUnits)
    const all = BigInt((await refundFacts(db, { ...scope, kind: 'event' })).totalUnits)
    const isRefunded = event.refundModeAt !== null
    const told = isRefunded ? leftover + all : leftover
    // Early money is no debt: listed apart, with the leftovers, and never among what an event owes.
    const [early] = await db.execute<{ units: string }>(sql`select coalesce(sum(units), 0)::text as units
      from ${payments} where event_number = ${event.number} and reason = 'early'`)
    const due = sum(({ reason }) => isRefunded || reason !== null) + BigInt(early?.units ?? 0)
    // What the chain has lost below a closed list stays on it, and is owed.
    const isKept = isTorn && closed.has(event.number)
    check('refundable sum', isKept ? told >= due : told === due, () => ({
      event: event.number,
      told,
      due,
      early,
    }))
    const debts = sum(() => true)
    check('no early debt', isKept || all <= debts, () => ({ event: event.number, all, debts, early }))
  }
}

/** I6, I7: whoever posted a hash that the final chain has knows how it ended. */
async function checkClaims({ db }: World, check: Check): Promise<void> {
  const stuck = await db.execute(sql`
    select ${claims.transactionHash} as hash, ${claims.status} as status from ${claims}
    join ${payments} on ${payments.transactionHash} = ${claims.transactionHash}
    where ${claims.nextAttemptAt} is not null or ${claims.status} not in ('credited', 'rejected')`)
  check('I6 claims end', stuck.length === 0, () => [...stuck])
}

/** I31: opening + in - out = balance, to the unit, by what is on record of each wallet of ours. */
async function checkBalances(world: World, { moves }: Folded, height: number, check: Check) {
  if (world.isTorn) return
  const ours = new Set<string>(world.walletFrom.keys())
  const [ins, outs] = await Promise.all([
    world.db.select().from(payments),
    world.db.select().from(operatorTransfers),
  ])
  const listed = new Set<string>(outs.filter((row) => !row.isGone).map((row) => row.transactionHash))
  const sum = (all: readonly { units: bigint }[]) => all.reduce((total, { units }) => total + units, 0n)
  for (const [wallet, from] of world.walletFrom) {
    const before = moves.filter((move) => move.time < from)
    const opening =
      sum(before.filter((move) => move.to === wallet)) - sum(before.filter((move) => move.from === wallet))
    // A transfer between wallets that are both ours by then is nobody's refund, so only the chain has it.
    const inside = moves.filter(
      (move) => move.time >= from && move.from === wallet && ours.has(move.to) && !listed.has(move.hash),
    )
    const seconds = (date: Date) => date.getTime() / 1000
    const received = ins.filter((row) => row.wallet === wallet && seconds(row.blockTime) >= from)
    const sent = outs.filter((row) => row.wallet === wallet && !row.isGone && seconds(row.blockTime) >= from)
    const told = opening + sum(received) - sum(sent) - sum(inside)
    const data = `0x70a08231${wallet.slice(2).padStart(64, '0')}`
    const balance = BigInt(await world.ask<string>('eth_call', { to: usdt, data }, numberToHex(height)))
    check('I31 balance', told === balance, () => ({ wallet, told, balance }))
  }
}
