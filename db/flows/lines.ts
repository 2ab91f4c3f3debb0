import { createHash } from 'node:crypto'
import { and, desc, eq, lt, lte, max, sql } from 'drizzle-orm'
import type { Address, Hash, Hex } from 'viem'
import {
  type FlowClass,
  type FlowLine,
  type FlowsHead,
  type FlowsWallet,
  flowsHeadText,
  flowText,
} from '../../core/flows/file.ts'
import type { Flow } from '../../core/flows/flow.ts'
import type { Db } from '../index.ts'
import {
  events,
  flowBreaks,
  operatorTransfers,
  payments,
  solvency,
  walletOpenings,
  walletReceipts,
} from '../schema/index.ts'
import { endOfPage, type FlowRange, flowPages } from './stream.ts'

/**
 * The head of an event's file: from where the files of earlier events end, or a wallet's own opening where that is later, up to
 * the newest block that was reckoned for the event. An event that is over is reckoned no more, so that its file has the same
 * transfers for ever; only the class of what went out changes with the books, as where an administrator marks it later.
 * Undefined while nothing was reckoned.
 */
export async function getFlowsHead(db: Db, eventNumber: number): Promise<FlowsHead | undefined> {
  const until = await lastReckoned(db, eventNumber)
  const [event] = await db
    .select({ chainId: events.chainId, token: events.token })
    .from(events)
    .where(eq(events.number, eventNumber))
  if (!event || !until) return undefined
  const token = event.token.toLowerCase() as Address
  const begin = await reckonedBefore(db, eventNumber, until.number)
  const openings = await openingsUpTo(db, token, BigInt(until.number))
  const wallets: FlowsWallet[] = []
  let lines = 0
  for (const { wallet, blockNumber, blockHash, units } of openings) {
    const later = begin && BigInt(begin.number) > blockNumber ? begin : undefined
    const start = later ? BigInt(later.number) : blockNumber
    const before = await movedOf(db, { wallet, token, after: blockNumber, upTo: start })
    lines += (await movedOf(db, { wallet, token, after: start, upTo: BigInt(until.number) })).lines
    wallets.push({
      ...{ address: wallet, openingBlock: start, openingHash: later?.hash ?? blockHash },
      openingUnits: units === null ? null : units + before.units,
    })
  }
  if (wallets.length === 0) return undefined
  return {
    ...{ eventNumber, chainId: event.chainId, token, lines, wallets },
    until: { ...until, number: BigInt(until.number) },
  }
}

/** By wallet: the one that is open, or of a token that no event has any more the last one that was. */
async function openingsUpTo(db: Db, token: Address, block: bigint) {
  return db
    .selectDistinctOn([walletOpenings.wallet])
    .from(walletOpenings)
    .where(
      and(
        eq(walletOpenings.token, token),
        eq(walletOpenings.isOnChain, true),
        lte(walletOpenings.blockNumber, block),
      ),
    )
    .orderBy(walletOpenings.wallet, sql`${walletOpenings.closedAt} desc nulls first`)
}

async function lastReckoned(db: Db, eventNumber: number) {
  const [row] = await db
    .select({ facts: solvency.facts })
    .from(solvency)
    .where(eq(solvency.eventNumber, eventNumber))
  return row?.facts.block ?? undefined
}

/** The newest block that any earlier event was reckoned at: one that had a short life may never have been. */
async function reckonedBefore(db: Db, eventNumber: number, upTo: number) {
  const [row] = await db
    .select({ facts: solvency.facts })
    .from(solvency)
    .where(and(lt(solvency.eventNumber, eventNumber), lte(solvency.height, BigInt(upTo))))
    .orderBy(desc(solvency.height))
    .limit(1)
  return row?.facts.block ?? undefined
}

type Span = { wallet: Address; token: Address; after: bigint; upTo: bigint }

/** What came to a wallet in these blocks less what it sent, and by how many lines. */
async function movedOf(db: Db, { wallet, token, after, upTo }: Span) {
  if (after >= upTo) return { units: 0n, lines: 0 }
  const isIn = (table: string) =>
    sql`${sql.identifier(table)}.wallet = ${wallet} and ${sql.identifier(table)}.block_number > ${`${after}`}::bigint
      and ${sql.identifier(table)}.block_number <= ${`${upTo}`}::bigint`
  const [row] = await db.execute<{ units: string; lines: number }>(sql`
    select coalesce(sum(units), 0)::text as units, count(*)::int as lines from (
      select p.units from ${payments} p left join ${events} e on e.number = p.event_number
        where ${isIn('p')} and coalesce(p.token, e.token) = ${token}
      union all select -t.units from ${operatorTransfers} t where ${isIn('t')} and t.token = ${token} and not t.is_gone
      union all select sum(r.units) from ${walletReceipts} r where ${isIn('r')} and r.token = ${token} and not r.is_gone
        group by r.block_number, r.transaction_hash, r.payer
    ) moved`)
  return { units: BigInt(row?.units ?? 0), lines: row?.lines ?? 0 }
}

const pageRows = 2_000

/**
 * The file in pieces, its head first, in constant memory. Throws where the transfers are not those that the head counted: the
 * books were folded anew meanwhile, and what was sent is no file.
 * @internal
 */
export async function* flowsFilePages(
  db: Db,
  head: FlowsHead,
  rows = pageRows,
): AsyncGenerator<{ text: string }> {
  yield { text: flowsHeadText(head) }
  const openings = new Map<Address, bigint>(head.wallets.map((each) => [each.address, each.openingBlock]))
  const [first = 0n] = [...openings.values()].sort((one, other) => (one < other ? -1 : 1))
  let lines = 0
  for (let after = first; after < head.until.number; ) {
    const upTo = await endOfPage(db, after, head.until.number, rows)
    const span = { token: head.token, after, upTo }
    const page = (await paymentsAlone(db, head, span)) ?? (await anyFlows(db, openings, span))
    lines += page.lines
    if (page.text) yield { text: page.text }
    after = upTo
  }
  if (lines !== head.lines) throw new Error(`The file has ${lines} lines, and its head says ${head.lines}.`)
}

type Page = { text: string | null; lines: number }

/** Blocks in which nothing was sent and nothing but payments came in, as in most of a sale: Postgres writes their lines. */
async function paymentsAlone(
  db: Db,
  { wallets }: FlowsHead,
  { token, after, upTo }: FlowRange,
): Promise<Page | undefined> {
  const between = sql`block_number > ${`${after}`}::bigint and block_number <= ${`${upTo}`}::bigint`
  const named = sql.join(
    wallets.map(({ address, openingBlock }) => sql`(${address}, ${`${openingBlock}`}::bigint)`),
    sql`, `,
  )
  const [page] = await db.execute<Page & { isAlone: boolean }>(sql`
    with named (address, opening) as (values ${named}),
      alone as (select not exists (select from ${operatorTransfers} where ${between})
        and not exists (select from ${walletReceipts} where ${between}) as is_alone)
    select is_alone as "isAlone", count(l.line)::int as lines,
      string_agg(l.line, '' order by l.block_number, l.transaction_index, l.first_log_index) as text
    from alone left join lateral (
      select p.block_number, p.transaction_index, p.first_log_index,
        concat_ws(',', p.block_number, extract(epoch from p.block_time)::bigint, p.transaction_index, p.first_log_index,
          p.transaction_hash, 'in', p.wallet, p.payer, p.units,
          case when p.reason is null then 'credited' when exists (select from named where address = p.payer) then 'own'
            else p.reason end, 'none') || E'\\n' as line
      from (select * from ${payments} where ${between}) p join named on named.address = p.wallet
      left join ${events} e on e.number = p.event_number
      where p.block_number > named.opening and coalesce(p.token, e.token) = ${token}
    ) l on is_alone group by is_alone`)
  return page?.isAlone ? page : undefined
}

/** Any blocks, flow by flow. */
async function anyFlows(db: Db, openings: ReadonlyMap<Address, bigint>, span: FlowRange): Promise<Page> {
  const flows: Flow[] = []
  for await (const page of flowPages(db, span)) flows.push(...page)
  const texts = flows
    .filter(({ wallet, blockNumber }) => blockNumber > (openings.get(wallet) ?? blockNumber))
    .sort(inFirst)
    .map((flow) => flowText(lineOf(flow, openings)))
  return { text: texts.join(''), lines: texts.length }
}

/** SHA-256 of the whole file. */
export async function fingerprintFlows(db: Db, head: FlowsHead): Promise<Hex> {
  const hash = createHash('sha256')
  for await (const { text } of flowsFilePages(db, head)) hash.update(text)
  return `0x${hash.digest('hex')}`
}

/**
 * The file as flowsFilePages makes it. Throws at its end where it is another one than was fingerprinted, so that the download
 * breaks off instead of being a file that nobody named.
 */
export async function* checkedFlowsFile(
  db: Db,
  head: FlowsHead,
  sha256: Hex,
  onOther: () => void,
): AsyncGenerator<{ text: string }> {
  const hash = createHash('sha256')
  try {
    for await (const page of flowsFilePages(db, head)) {
      hash.update(page.text)
      yield page
    }
    if (`0x${hash.digest('hex')}` !== sha256) throw new Error('The file changed while it was sent.')
  } catch (error) {
    onOther()
    throw error
  }
}

/**
 * What a file depends on: up to which block its event was reckoned, and a number that is another one since something changed
 * among older transfers. Undefined while nothing was reckoned.
 */
export async function getFlowsVersion(
  db: Db,
  eventNumber: number,
): Promise<{ until: Hash; books: number } | undefined> {
  const until = await lastReckoned(db, eventNumber)
  const [row] = await db.select({ last: max(flowBreaks.id) }).from(flowBreaks)
  return until && { until: until.hash, books: row?.last ?? 0 }
}

/** In the order of the file, where the same log comes in before it goes out. A page ends with a block. */
const inFirst = (a: Flow, b: Flow): number =>
  Number(a.blockNumber - b.blockNumber) ||
  (a.transactionIndex ?? 0) - (b.transactionIndex ?? 0) ||
  (a.logIndex ?? 0) - (b.logIndex ?? 0) ||
  (a.direction < b.direction ? -1 : a.direction > b.direction ? 1 : 0)

/** Places are known of everything behind an opening: both were noted from the same time on. */
const lineOf = (flow: Flow, wallets: ReadonlyMap<Address, bigint>): FlowLine => ({
  ...{
    blockNumber: flow.blockNumber,
    blockTime: flow.blockTime,
    transactionHash: flow.transactionHash as Hash,
  },
  ...{ transactionIndex: flow.transactionIndex ?? 0, logIndex: flow.logIndex ?? 0 },
  ...{ direction: flow.direction, wallet: flow.wallet, counterparty: flow.counterparty, units: flow.units },
  ...{ class: classIn(flow, wallets.has(flow.counterparty)), debtor: flow.debtor },
})

/** As anyone can derive it from the file: what moved between its wallets is `own`, a payment without a ticket has its reason. */
function classIn({ class: kind, reason, direction }: Flow, isOwn: boolean): FlowClass {
  if (kind === 'credited' || kind === 'refund' || kind === 'prize') return kind
  if (isOwn) return 'own'
  return direction === 'in' && reason !== null ? (reason as FlowClass) : 'other'
}
