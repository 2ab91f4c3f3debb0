import { type Address, type Hash, keccak256, toHex } from 'viem'
import { usdtOnBsc } from '../../core/chain/usdt.ts'
import type { PublicSolvency } from '../../core/flows/public-money.ts'
import { unitsOf } from '../../core/money.ts'
import type { Event } from '../../db/event/events.ts'
import type { Db } from '../../db/index.ts'
import { operatorTransfers, solvency, walletOpenings, walletReceipts } from '../../db/schema/index.ts'
import { operator } from './ledger-story.ts'

/** What the worker notes of the wallets, in the words of the story, for tests that need no chain: block n is n seconds after the sale start. */
const hashOf = (block: number): Hash => keccak256(toHex(`block ${block}`))
const timeOf = (event: Event, block: number) => new Date(event.saleStart.getTime() + block * 1000)
const token = usdtOnBsc.toLowerCase() as Address

type Opening = { block: number; cents: number | null; wallet?: Address }

/** What a wallet held when it was registered; null where nobody could tell. */
export async function openWallet(db: Db, event: Event, { block, cents, wallet = operator }: Opening) {
  await db.insert(walletOpenings).values({
    ...{
      wallet,
      token,
      blockNumber: BigInt(block),
      blockHash: hashOf(block),
      blockTime: timeOf(event, block),
    },
    ...(cents === null ? { why: 'state_gone' as const } : { units: unitsOf(cents) }),
  })
}

/** The newest block that was reckoned for the event. */
export async function reckonTo(db: Db, event: Event, block: number): Promise<void> {
  const facts = {
    ...{ eventNumber: event.number, token },
    block: { number: block, hash: hashOf(block), timestamp: timeOf(event, block).getTime() / 1000 },
  } as PublicSolvency
  await db
    .insert(solvency)
    .values({ eventNumber: event.number, height: BigInt(block), facts, dust: 0n })
    .onConflictDoUpdate({ target: solvency.eventNumber, set: { facts, height: BigInt(block) } })
}

type Moved = { block: number; to: Address; cents: number; from?: Address; index?: number; hash?: Hash }

/** A wallet of ours sends, and the watch has seen it. */
export async function sent(
  db: Db,
  event: Event,
  { block, to, cents, from = operator, index = 0, hash }: Moved,
): Promise<Hash> {
  const transactionHash = hash ?? keccak256(toHex(`sent ${block} ${index} ${to}`))
  await db.insert(operatorTransfers).values({
    ...{ transactionHash, logPosition: 0, token, wallet: from, recipient: to, units: unitsOf(cents) },
    ...{ blockNumber: BigInt(block), blockHash: hashOf(block), blockTime: timeOf(event, block) },
    ...{ transactionIndex: index, logIndex: index },
  })
  return transactionHash
}

/** A wallet that only refunds receives. */
export async function received(
  db: Db,
  event: Event,
  { block, to, cents, from = operator, index = 0, hash }: Moved,
): Promise<void> {
  await db.insert(walletReceipts).values({
    transactionHash: hash ?? keccak256(toHex(`received ${block} ${index} ${to}`)),
    ...{ wallet: to, payer: from, token, logPosition: 0, units: unitsOf(cents) },
    ...{ blockNumber: BigInt(block), blockHash: hashOf(block), blockTime: timeOf(event, block) },
    ...{ transactionIndex: index, logIndex: index },
  })
}
