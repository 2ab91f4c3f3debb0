import { asc, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex, numberToHex, pad } from 'viem'
import { register } from '../../../core/chain/register.ts'
import { paidTopic } from '../../../core/chain/register-log.ts'
import { getScanCursor } from '../../../db/event/sale.ts'
import { getBook } from '../../../db/event/terms.ts'
import { fingerprintLedger } from '../../../db/payment/ledger.ts'
import { refundInfo } from '../../../db/refund/dues.ts'
import { loadSolvency } from '../../../db/report/solvency.ts'
import {
  claims,
  endings,
  events,
  operatorWallets,
  payments,
  refundDues,
  termsVersions,
} from '../../../db/schema/index.ts'
import { publishedLedger } from '../../lab/ledger-story.ts'
import { usdt } from '../../lab/usdt.ts'
import { type Folded, type FoldedPayment, foldChain, type PublicTerms } from './independent-fold.ts'
import type { World } from './world.ts'

/** What must hold and does not: the invariant's name in docs/security, and what was seen instead. */
export type Broken = { name: string; saw: string }
type Check = (name: string, isTrue: boolean, saw: () => unknown) => void

/** Everything that must hold once all endpoints tell the truth and the work is done. */
export async function brokenInvariants(world: World): Promise<Broken[]> {
  const broken = await brokenUpToCursor(world, '', async (folded, height, check) => {
    await checkPayments(world, folded, check)
    await checkLedgers(world, folded, check)
    await checkClaims(world, check)
    await checkEndings(world, check)
    await checkRefunds(world, folded, height, check)
  })
  return broken ?? [{ name: 'liveness', saw: 'nothing was scanned' }]
}

/** I5 while others may still lie: what is recorded is what the honest chain has, up to the cursor. */
export async function brokenMeanwhile(world: World): Promise<Broken[]> {
  const look: Look = (folded, _, check) => checkPayments(world, folded, check)
  return (await brokenUpToCursor(world, ' (at any moment)', look)) ?? []
}

type Look = (folded: Folded, height: number, check: Check) => Promise<void>

/** Undefined before the first scan. */
async function brokenUpToCursor(world: World, when: string, look: Look): Promise<Broken[] | undefined> {
  const cursor = await getScanCursor(world.db)
  if (!cursor) return undefined
  const height = Number(cursor.height)
  const broken: Broken[] = []
  await look(await foldChain(world.url, await publicTerms(world), height), height, (name, isTrue, saw) => {
    if (!isTrue) broken.push({ name: name + when, saw: text(saw()) })
  })
  return broken
}

const text = (saw: unknown): string => JSON.stringify(saw, (_, v) => (typeof v === 'bigint' ? `${v}` : v))

/** The list of an event is frozen: it is at that moment what the chain says, and never changes again. */
export async function brokenClosing(world: World): Promise<Broken[]> {
  const { db, closed } = world
  const rows = await db.select({ event: events }).from(events)
  const fresh = rows.filter(({ event }) => (event.frozenAt || event.archivedAt) && !closed.has(event.number))
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
        const text = await publishedLedger(db, number)
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

const hashAt = async ({ ask }: World, height: bigint): Promise<string | undefined> =>
  (await ask<{ hash: string } | null>('eth_getBlockByNumber', numberToHex(height), false))?.hash

/** What the site publishes of its events and wallets. */
async function publicTerms({ db, closed }: World): Promise<PublicTerms> {
  const rows = await db.select().from(events).orderBy(asc(events.number))
  const ours = await db.select().from(operatorWallets)
  const seconds = (date: Date) => date.getTime() / 1000
  const versions = await db.select().from(termsVersions).orderBy(asc(termsVersions.since))
  return {
    token: usdt,
    events: rows.flatMap((row) => {
      const { number, lockedAt } = row
      const inForce = versions.filter(
        ({ eventNumber, since }) => eventNumber === number && (!lockedAt || since <= lockedAt),
      )
      const last = inForce.pop()
      const former = inForce.map(({ since, line }) => {
        const told = line.split(',')
        return {
          ...{ number, since: seconds(since), wallet: told[5] as string, price: BigInt(told[7] as string) },
          ...{ saleStart: Number(told[8]), saleEnd: told[9] === 'none' ? null : Number(told[9]) },
          ...{ isReplaced: lockedAt !== null, closedLedger: closed.get(number) ?? null },
        }
      })
      return [
        ...former.filter(({ wallet }) => wallet !== 'none'),
        {
          ...{ number, wallet: row.operatorWallet as string, price: row.ticketPrice },
          since: seconds(former.length > 0 && last ? last.since : row.saleStart),
          ...{ saleStart: seconds(row.saleStart), saleEnd: row.saleEnd && seconds(row.saleEnd) },
          ...{ isReplaced: false, closedLedger: closed.get(number) ?? null },
        },
      ]
    }),
    wallets: ours.map(({ address, since }) => ({ address, since: Math.floor(seconds(since)) })),
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
    ...[p.block, p.transactionIndex, p.hash, p.payer, p.wallet, p.units],
    ...[p.time, p.event, p.reason, p.firstTicket, p.tickets],
  ].join()

/** I3: the file byte for byte, its fingerprint, the count. */
async function checkLedgers({ db }: World, { ledgers }: Folded, check: Check) {
  for (const event of await db.select().from(events)) {
    const text = await publishedLedger(db, event.number)
    const expected = ledgers.get(event.number)
    const { sha256 } = await fingerprintLedger(db, event.number)
    const { number, ticketsSold, ledgerSha256 } = event
    const saw = () => ({ number, text, sha256, ticketsSold, ledgerSha256, expected })
    check('ledger file', text === expected?.text, saw)
    check('ledger fingerprint', sha256 === expected?.sha256, saw)
    if (event.frozenAt) check('frozen fingerprint', ledgerSha256 === expected?.sha256, saw)
    check('I3 tickets sold', ticketsSold === expected?.tickets, saw)
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

/** I14: what ends for want of a line has one that the chain lacks. */
async function checkEndings({ db, ask, closed }: World, check: Check) {
  for (const { eventNumber, reason } of await db.select().from(endings)) {
    if (reason !== 'ledger') continue
    const hashes = closed.get(eventNumber)?.match(/0x[0-9a-f]{64}/g) ?? []
    const receipts = await Promise.all(hashes.map((hash) => ask('eth_getTransactionReceipt', hash)))
    check('I14 a line is lost', receipts.includes(null), () => ({ eventNumber, hashes }))
  }
}

/** I15, I17, I31: dues are what the rules make of the chain, nobody got more, and who is settled has it all. */
async function checkRefunds(world: World, { payments: folded }: Folded, last: number, check: Check) {
  const { db, closed, isTorn, overlooked, paidInVain } = world
  const ended = new Set(
    (await db.select().from(endings)).flatMap(({ kind, eventNumber }) =>
      kind === 'refunds' ? eventNumber : [],
    ),
  )
  const goesBack = ({ event, isBefore, reason }: FoldedPayment) =>
    event !== null && !isBefore && reason !== 'held' && (reason !== null || ended.has(event))
  const sum = (all: readonly FoldedPayment[]) => all.reduce((total, { units }) => total + units, 0n)
  const owed = Map.groupBy(folded.filter(goesBack), ({ payer }) => payer)
  const dues = new Map((await db.select().from(refundDues)).map((line) => [`${line.payer}`, line]))
  const book = await getBook(db)
  const paid = await paidByRegister(world, book as Hex, last)
  for (const payer of new Set([...owed.keys(), ...dues.keys()])) {
    const [line, received] = [dues.get(payer), paid.get(payer as Address) ?? 0n]
    const expected = sum(owed.get(payer) ?? [])
    // What the chain has lost below a closed list stays on it, and is owed.
    const isKept = isTorn && closed.size > 0
    const told = line?.owed ?? 0n
    const saw = () => ({ payer, told, expected, received, line })
    check('I17 owed', isKept ? told >= expected : told === expected, saw)
    check('I15 remembered', (line?.byRegister ?? 0n) === received, saw)
    const atMost = [told, paidInVain.get(payer as Address) ?? 0n]
    // Who was missed may have tickets, once a payment that nobody had told is found.
    check('I15 no more than owed', atMost.some((most) => received <= most) || overlooked.size > 0, saw)
    check('I15 all of it', line?.due !== 0n || received + line.byHand >= told, saw)
  }
  for (const { number } of await db.select({ number: events.number }).from(events)) {
    const { totalAmount } = await refundInfo(db, number)
    const units = sum(folded.filter((payment) => payment.event === number && goesBack(payment)))
    check('I17 totals', isTorn || BigInt(totalAmount) === units / 10n ** 16n, () => ({
      number,
      totalAmount,
      units,
    }))
  }
  const { held, block } = await loadSolvency(db)
  if (held === null || block === null) return check('I31 read', false, () => 'nothing was read')
  const at = numberToHex(block.number)
  const ours = (await db.select().from(operatorWallets)).map(({ address }) => address)
  const balances = await Promise.all(
    ours.map((wallet) =>
      world.ask<string>('eth_call', { to: usdt, data: `0x70a08231${pad(wallet).slice(2)}` }, at),
    ),
  )
  const balance = balances.reduce((total, units) => total + BigInt(units), 0n)
  check('I31 held', BigInt(held) === balance, () => ({ held, balance, block }))
}

/** Whether a payment of a transaction that a scan was not told is still on no list. */
export async function hasHole({ db, ask, overlooked }: World): Promise<boolean> {
  for (const hash of overlooked) {
    const [known] = await db.execute(sql`select 1 from payments where transaction_hash = ${hash} limit 1`)
    if (!known && (await ask('eth_getTransactionReceipt', hash))) return true
  }
  return false
}

/** What the register has paid by this book up to a block, by debtor and from the chain's logs alone. */
async function paidByRegister({ ask }: World, book: Hex, last: number): Promise<Map<Address, bigint>> {
  type Log = { topics: [Hex, Hex, Hex, Hex]; data: Hex }
  const logs = await ask<Log[]>('eth_getLogs', {
    ...{ fromBlock: '0x0', toBlock: `0x${last.toString(16)}`, address: register.address },
    topics: [paidTopic, pad(book)],
  })
  const paid = new Map<Address, bigint>()
  for (const { topics, data } of logs) {
    const debtor = getAddress(`0x${topics[2].slice(26)}`).toLowerCase() as Address
    const amount = BigInt(`0x${data.slice(2 + 64, 2 + 128)}`)
    paid.set(debtor, (paid.get(debtor) ?? 0n) + amount)
  }
  return paid
}
