import { keccak256, toHex } from 'viem'
import type { Entropy } from '../../core/event/event.ts'
import { type AgreedBlock, recordDraw } from '../../db/draw/draws.ts'
import { type Event, getOpenEvent } from '../../db/event/events.ts'
import type { Db } from '../../db/index.ts'
import { freezeLedger } from '../../db/payment/ledger.ts'
import { events } from '../../db/schema/index.ts'
import { foldTo, paid } from './ledger-story.ts'
import { withOtherPast } from './other-past.ts'
import { fromNow, secondsFromNow } from './test-time.ts'

/** Seconds after the sale start at which the sale ends; a block a second is folded up to it and somewhat further. */
const saleSeconds = 100
const folded = saleSeconds + 20

type Sale = {
  payments: readonly { payer: `0x${string}`; cents: number }[]
  winners: number
  entropy?: Entropy
}

/** Sells the open event in the past and freezes its list, without a chain. */
export async function soldOut(db: Db, { payments, winners, entropy = 'blocks' }: Sale): Promise<Event> {
  const start = secondsFromNow(-1_000)
  const at = (second: number) => new Date((start + second) * 1000)
  await withOtherPast(db, (tx) =>
    tx.update(events).set({
      ...{ saleStart: at(0), openedAt: at(0), saleEnd: at(saleSeconds), drawDate: at(saleSeconds + 10) },
      ...{ firstDrawDate: at(saleSeconds + 10), minTickets: 1, winners, entropy },
    }),
  )
  const event = (await getOpenEvent(db)) as Event
  const found = payments.map(({ payer, cents }, index) => paid(event, { block: 1 + index, payer, cents }))
  await foldTo(db, event, folded, found)
  await freezeLedger(db)
  return (await getOpenEvent(db)) as Event
}

/** Five blocks that all endpoints agree on; their hashes follow from `salt`. */
export const agreedBlocks = (event: Event, salt: number): AgreedBlock[] =>
  Array.from({ length: 5 }, (_, index) => ({
    number: BigInt(folded - 4 + index),
    hash: keccak256(toHex(`draw block ${salt} ${index}`)),
    timestamp: event.saleStart.getTime() / 1000 + folded - 4 + index,
    miner: `0x${'b0'.repeat(20)}` as const,
  }))

/** Draws the event from these blocks; its winner is announced at once. */
export async function drawnFrom(db: Db, event: Event, blocks: readonly AgreedBlock[]): Promise<void> {
  await recordDraw(db, { eventNumber: event.number, blocks, beacon: null })
  await db.update(events).set({ redrawnAt: fromNow(-20) })
}
