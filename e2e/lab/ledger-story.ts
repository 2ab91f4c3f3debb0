import { sql } from 'drizzle-orm'
import { keccak256, toHex } from 'viem'
import { unitsOf } from '../../core/money.ts'
import type { FoundPayment } from '../../core/payment/payment.ts'
import { type Env, parseEnv } from '../../core/server/env.ts'
import { openFirstEvent } from '../../db/event/environment.ts'
import { type Event, getOpenEvent } from '../../db/event/events.ts'
import { getScanCursor } from '../../db/event/sale.ts'
import { changesPage } from '../../db/event/terms.ts'
import type { Db } from '../../db/index.ts'
import { type BlockEnd, foldRange } from '../../db/payment/fold.ts'
import { eachLedgerPage } from '../../db/payment/ledger.ts'

/** Set-up in the words of the story, for tests that need payments but no chain. */
export const operator = `0x${'0f'.repeat(20)}` as const
export const alice = `0x${'a1'.repeat(20)}` as const
export const bob = `0x${'b0'.repeat(20)}` as const

/** Event 1 with a ticket price of 3 USDT and a lead of 10 s, unless said otherwise. */
export async function openEvent(db: Db, terms: Partial<Env> = {}): Promise<Event> {
  await openFirstEvent(db, { ...envTerms, ...terms })
  // As the scan does once the chain's time has come to the sale start.
  await db.execute(sql`update events set opened_at = now()`)
  return (await getOpenEvent(db)) as Event
}

export const envTerms = { ...parseEnv({ SALE_LEAD_SECONDS: '10' }), operatorWallet: operator }

let count = 0

/** A final payment in block `block`, whose time is `block` seconds after the event's sale start. */
export function paid(
  event: Event,
  {
    block,
    cents,
    payer = alice,
    index = 0,
    wallet = operator,
  }: {
    block: number
    cents: number
    payer?: FoundPayment['payer']
    wallet?: FoundPayment['wallet']
    index?: number
  },
): FoundPayment {
  return {
    transactionHash: keccak256(toHex(`payment ${++count}`)),
    payer,
    wallet,
    units: unitsOf(cents),
    ...at(event, block),
    transactionIndex: index,
    firstLogIndex: index,
  }
}

/** The end of block `number`, to fold up to. */
export const blockEnd = (event: Event, number: number): BlockEnd => {
  const { blockNumber, blockHash, blockTime } = at(event, number)
  return { number: blockNumber, hash: blockHash, timestamp: blockTime }
}

const at = (event: Event, block: number) => ({
  blockNumber: BigInt(block),
  blockHash: keccak256(toHex(`block ${block}`)),
  blockTime: event.saleStart.getTime() / 1000 + block,
})

/** Folds payments up to the end of block `block`, from the cursor on. */
export async function foldTo(db: Db, event: Event, block: number, payments: readonly FoundPayment[] = []) {
  return foldRange(db, await getScanCursor(db), blockEnd(event, block), payments)
}

/** The list of an event as the file that anybody downloads. */
export async function publishedLedger(db: Db, eventNumber: number): Promise<string> {
  let text = ''
  await eachLedgerPage(db, eventNumber, async (page) => {
    text += page
  })
  return text
}

/** The newest public changes. */
export const listChanges = async (db: Db) => (await changesPage(db))?.changes ?? []
