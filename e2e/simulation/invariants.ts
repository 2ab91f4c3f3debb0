import { and, asc, eq, not, sql } from 'drizzle-orm'
import { type Address, encodeFunctionData, erc20Abi, numberToHex, pad } from 'viem'
import { expect } from 'vitest'
import { judgePayment } from '../../core/judge.ts'
import { ledgerHeader, ledgerText } from '../../core/ledger.ts'
import { decodeTransfer, groupPayments, type RpcLog, transferTopic } from '../../core/payment.ts'
import { getOpenEvent, getWatchedWallets } from '../../db/event/events.ts'
import { getScanCursor } from '../../db/event/scan-cursor.ts'
import type { Db } from '../../db/index.ts'
import { ledgerPages } from '../../db/payment/ledger.ts'
import { getSaleRules } from '../../db/payment/sale-rules.ts'
import { getWatchCursor } from '../../db/refund/watch.ts'
import { claims, operatorTransfers, payments } from '../../db/schema/index.ts'
import { rpc } from '../../infra/local/rpc.ts'

/** I1-I10 of the payments, against a separate reading of the chain that shares no code with the scan. */
export async function expectInvariants(db: Db, url: string, token: Address): Promise<void> {
  const expected = await rescan(db, url, token)
  const rows = await db
    .select()
    .from(payments)
    .orderBy(asc(payments.blockNumber), asc(payments.transactionIndex), asc(payments.firstLogIndex))

  // I5, I8: the records equal the final chain, whatever was claimed
  expect(rows.map(essence)).toEqual(expected.map(essence))
  // I3: numbers without gap or duplicate, in chain order
  const credited = rows.filter((row) => row.status === 'credited')
  let next = 1
  for (const row of credited) {
    expect(row.ticketNumber).toBe(next)
    next += row.ticketCount
  }
  expect((await getOpenEvent(db))?.ticketsSold).toBe(next - 1)
  // I10: every recorded block is the canonical one
  for (const row of rows) {
    const block = await rpc<{ hash: string }>(url, 'eth_getBlockByNumber', [
      numberToHex(row.blockNumber),
      false,
    ])
    expect(block.hash).toBe(row.blockHash)
  }
  await expectLedger(db, expected)
  await expectClaims(db)
}

/**
 * I31: what each wallet of ours held before the sale, with all that came in and without all that went out, is its
 * balance at the final block up to which both were read, to the unit.
 */
export async function expectBalances(db: Db, url: string, token: Address, opening: number): Promise<void> {
  const cursor = await getScanCursor(db)
  expect((await getWatchCursor(db))?.height).toBe(cursor?.height)
  for (const wallet of await getWatchedWallets(db)) {
    const [paidIn] = await db
      .select({ units: sql<string>`coalesce(sum(${payments.units}), 0)` })
      .from(payments)
      .where(eq(payments.wallet, wallet))
    const [paidOut] = await db
      .select({ units: sql<string>`coalesce(sum(${operatorTransfers.units}), 0)` })
      .from(operatorTransfers)
      .where(and(eq(operatorTransfers.wallet, wallet), not(operatorTransfers.isGone)))
    const before = await balanceOf(url, token, wallet, BigInt(opening))
    const after = await balanceOf(url, token, wallet, cursor?.height ?? 0n)
    expect([wallet, before + BigInt(paidIn?.units ?? 0) - BigInt(paidOut?.units ?? 0)]).toEqual([
      wallet,
      after,
    ])
  }
}

async function balanceOf(url: string, token: Address, wallet: Address, at: bigint): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] })
  return BigInt(await rpc<string>(url, 'eth_call', [{ to: token, data }, numberToHex(at)]))
}

type Expected = Awaited<ReturnType<typeof rescan>>

async function expectLedger(db: Db, expected: Expected): Promise<void> {
  let text = ''
  for await (const page of ledgerPages(db, 1)) text += page.text
  let ticketNumber = 1
  let rebuilt = ledgerHeader
  for (const payment of expected) {
    if (payment.status !== 'credited') continue
    rebuilt += ledgerText({ ...payment, value: payment.units, ticketNumber })
    ticketNumber += payment.ticketCount
  }
  expect(text).toBe(rebuilt)
}

/** I6: a claim of a recorded payment has the same final state as that payment. */
async function expectClaims(db: Db): Promise<void> {
  const stuck = await db.execute(sql`
    select ${claims.transactionHash}, ${claims.status} from ${claims}
    join ${payments} on ${payments.transactionHash} = ${claims.transactionHash}
    where ${claims.nextAttemptAt} is not null or ${claims.status} not in ('credited', 'rejected')`)
  expect([...stuck]).toEqual([])
}

/** Every payment of the final chain up to the cursor, by plain `eth_getLogs` and the published rules. */
async function rescan(db: Db, url: string, token: Address) {
  const cursor = await getScanCursor(db)
  const wallets = await getWatchedWallets(db)
  const logs = await rpc<RpcLog[]>(url, 'eth_getLogs', [
    {
      address: token,
      topics: [transferTopic, null, wallets.map((wallet) => pad(wallet))],
      fromBlock: '0x0',
      toBlock: numberToHex(cursor?.height ?? 0n),
    },
  ])
  const rules = await getSaleRules(db)
  const found = groupPayments(
    logs.flatMap((log) => decodeTransfer(log, token) ?? []),
    new Set(wallets),
  )
  const judged = await Promise.all(
    found.map(async (payment) => {
      const block = await rpc<{ timestamp: string }>(url, 'eth_getBlockByNumber', [
        numberToHex(payment.blockNumber),
        false,
      ])
      return { ...payment, ...judgePayment(payment, Number(block.timestamp), rules) }
    }),
  )
  // the scan begins at the first block of the sale and ignores earlier payments
  return judged.filter((payment) => payment.reason !== 'early')
}

const essence = ({
  transactionHash,
  payer,
  wallet,
  units,
  blockNumber,
  status,
  reason,
  ticketCount,
}: Expected[number] | typeof payments.$inferSelect) => ({
  ...{ transactionHash, payer, wallet, units, blockNumber, status, reason, ticketCount },
})
