import { eq, type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { Db } from '../index.ts'
import { operatorTransfers, registerEntries } from '../schema/index.ts'

type Place = {
  transactionHash: Hash
  /** Position among this transaction's outgoing transfers, or its entries of the register. */
  logPosition: number
  wallet: Address
  token: Address
  blockNumber: bigint
  blockHash: Hash
  blockTime: number
}
/** `debtor`: whose refund it is by the register's own log. The place in the block is noted where it is known. */
export type OutgoingTransfer = Place & {
  recipient: Address
  units: bigint
  debtor: Address | null
  transactionIndex?: number
  logIndex?: number
}
/** What the register remembers from then on; `payee` and `units` are null for what was waived. */
export type OutgoingEntry = Place & {
  kind: 'paid' | 'waived'
  debtor: Address
  payee: Address | null
  units: bigint | null
  total: bigint
}
/** What wallets of ours have sent, and what the register says of it, in chain order. */
export type Outgoing = { transfers: readonly OutgoingTransfer[]; entries: readonly OutgoingEntry[] }

/** Everybody whose books this may change. */
export const concernedBy = ({ transfers, entries }: Outgoing): Address[] => [
  ...new Set([
    ...transfers.flatMap(({ recipient, debtor }) => (debtor ? [recipient, debtor] : [recipient])),
    ...entries.map(({ debtor }) => debtor),
  ]),
]

/** Known ones stay as they are, but for those that a reorg had removed: they are mined again. */
export async function recordOutgoing(tx: Db, { transfers, entries }: Outgoing): Promise<void> {
  for (const transfer of transfers)
    await tx
      .insert(operatorTransfers)
      .values({ ...transfer, blockTime: timeOf(transfer) })
      .onConflictDoUpdate({ ...transferAgain, setWhere: sql`${operatorTransfers.isGone}` })
  for (const entry of entries)
    await tx
      .insert(registerEntries)
      .values({ ...entry, units: unitsOf(entry), blockTime: timeOf(entry) })
      .onConflictDoUpdate({ ...entryAgain, setWhere: sql`${registerEntries.isGone}` })
}

/** As recordOutgoing, for one wallet and token that are read later: what the transaction has besides keeps its places. */
export async function recordMissed(
  tx: Db,
  pair: { wallet: Address; token: Address },
  { transfers, entries }: Outgoing,
): Promise<void> {
  await recordOutgoing(tx, {
    transfers: await behindKnown(tx, operatorTransfers, pair, transfers),
    entries: await behindKnown(tx, registerEntries, pair, entries),
  })
}

async function behindKnown<T extends Place>(
  tx: Db,
  table: typeof operatorTransfers | typeof registerEntries,
  pair: { wallet: Address; token: Address },
  found: readonly T[],
): Promise<T[]> {
  const placed: T[] = []
  for (const [hash, ofTransaction] of Map.groupBy(found, ({ transactionHash }) => transactionHash)) {
    const { wallet, token, logPosition } = table
    const known = await tx
      .select({ wallet, token, logPosition })
      .from(table)
      .where(eq(table.transactionHash, hash))
    if (known.some((one) => one.wallet === pair.wallet && one.token === pair.token)) continue
    const place = Math.max(-1, ...known.map((one) => one.logPosition)) + 1
    placed.push(...ofTransaction.map((one) => ({ ...one, logPosition: place + one.logPosition })))
  }
  return placed
}

const timeOf = ({ blockTime }: Place): Date => new Date(blockTime * 1000)

/** What was waived is what the total rose by: the register's own log does not say it. */
const unitsOf = ({ units, wallet, token, debtor, total }: OutgoingEntry): bigint | SQL<bigint> =>
  units ??
  sql`${total.toString()}::numeric - coalesce((
    select max(e.total) from ${registerEntries} e where e.wallet = ${wallet} and e.token = ${token}
      and e.debtor = ${debtor} and e.total < ${total.toString()}::numeric and not e.is_gone), 0)`

const placeAgain = {
  ...{ token: sql`excluded.token`, wallet: sql`excluded.wallet`, units: sql`excluded.units` },
  ...{ blockHash: sql`excluded.block_hash`, blockTime: sql`excluded.block_time` },
  ...{ blockNumber: sql`excluded.block_number`, debtor: sql`excluded.debtor`, isGone: false },
}

/** It stands in another block now and, of a contract, may be another one; what it was sent for it was sent for. */
const transferAgain = {
  target: [operatorTransfers.transactionHash, operatorTransfers.logPosition],
  set: {
    ...placeAgain,
    ...{ transactionIndex: sql`excluded.transaction_index`, logIndex: sql`excluded.log_index` },
    recipient: sql`excluded.recipient`,
    orderBlock: sql`coalesce(${operatorTransfers.orderBlock}, ${operatorTransfers.blockNumber})`,
    rowId: sql`case when ${operatorTransfers.recipient} = excluded.recipient
      and ${operatorTransfers.debtor} is not distinct from excluded.debtor then ${operatorTransfers.rowId} end`,
  },
}

const entryAgain = {
  target: [registerEntries.transactionHash, registerEntries.logPosition],
  set: {
    ...placeAgain,
    ...{ kind: sql`excluded.kind`, payee: sql`excluded.payee`, total: sql`excluded.total` },
  },
}
