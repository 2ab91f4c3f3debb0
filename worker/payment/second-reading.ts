import { RaffleError } from '../../core/errors.ts'
import { groupPayments, type Payment } from '../../core/payment/payment.ts'
import { getSaleWallets } from '../../db/event/events.ts'
import {
  beginSecondReading,
  compareSecond,
  type DueReading,
  dueSecondReading,
  isRecorded,
  isWhollyRecorded,
  noteUnreadTwice,
  type SecondStep,
  stepBlocks,
} from '../../db/payment/second-reading.ts'
import type { Header } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from './first-block.ts'
import { refoldFromMissedPayment } from './refold.ts'

/**
 * Reads the sale a second time, by another endpoint or in another way than the scan did, and compares it with
 * what is on record. Follows the scan at a distance; at the sale end it reads what is left at once. Where the two
 * differ, the witnesses are asked anew about that block: if the record is wrong the event is folded anew, else the
 * next endpoint reads. Safe to run twice and by many workers: the records decide how far it has come.
 */
export async function readSecond(deps: Deps): Promise<void> {
  for (;;) {
    const due = await dueSecondReading(deps.db)
    if (!due || !(await readNext(deps, due))) return
  }
}

/** True if there may be more to read. */
async function readNext(deps: Deps, due: DueReading): Promise<boolean> {
  const { event, cursor, after } = due
  const { db, chain, log, clock } = deps
  if (!after) {
    const head = { number: cursor.height, timestamp: cursor.blockTime.getTime() / 1000 }
    const first = await firstBlockSince(chain, event.saleStart.getTime() / 1000, head, 0n, clock)
    await beginSecondReading(db, event, first - 1n)
    return true
  }
  const step = await toStep(deps, due, after)
  try {
    return await readStep(deps, step)
  } catch (err) {
    if (await noteUnreadTwice(db))
      log.fatal({ err, ...blocksOf(step) }, 'blocks of the sale could not be read twice')
    throw err
  }
}

async function toStep(
  { db, chain }: Deps,
  { event, cursor, limit }: DueReading,
  after: { height: bigint },
): Promise<SecondStep> {
  const from = after.height + 1n
  const last = after.height + stepBlocks < limit ? after.height + stepBlocks : limit
  const wallets = await getSaleWallets(db)
  if (last === cursor.height) return { event, from, to: cursor, wallets }
  const [{ timestamp }] = (await chain.headers([last])) as [Header]
  return { event, from, to: { height: last, blockTime: new Date(timestamp * 1000) }, wallets }
}

/** The witnesses are asked about so many of the blocks that one endpoint tells otherwise; then the next one reads. */
const differingBlocks = 5

async function readStep(deps: Deps, step: SecondStep): Promise<boolean> {
  const { db, chain, log } = deps
  const { event, from, to, wallets } = step
  const watch = { tokens: [event.token], wallets }
  const ours = new Set<string>(wallets)
  // Without a wallet there is nothing that anybody could tell.
  if (wallets.length === 0) return (await compareSecond(db, step, [])) === 'equal'
  for await (const { host, transfers } of chain.readAgain(watch, { from, to: to.height })) {
    const read = groupPayments(transfers, ours)
    const outcome = await compareSecond(db, step, read)
    if (outcome === 'equal') return true
    if (outcome === 'moved') return false
    const wrong = await firstWrongBlock(deps, outcome.slice(0, differingBlocks), (block) =>
      readBlock(deps, step, block),
    ).catch(async (error) => {
      // Of two that differ one hides payments. If it is this one the other reads on; else nothing may pass it over.
      if (isDisagreement(error) && (await isWhollyRecorded(db, step, read))) return undefined
      throw error
    })
    if (wrong !== undefined) {
      await refoldFromMissedPayment(deps, wrong, `the second reading of block ${wrong} told other payments`)
      return false
    }
    log.fatal({ host, block: Number(outcome[0]) }, 'an endpoint tells other payments than the witnesses')
  }
  throw new Error(`no endpoint tells the payments of blocks ${from} to ${to.height} as they are on record`)
}

/** The lowest of these blocks whose payments are on record otherwise than the witnesses tell them, asked anew. */
async function firstWrongBlock(
  { db }: Deps,
  blocks: readonly bigint[],
  read: (block: bigint) => Promise<Payment[]>,
): Promise<bigint | undefined> {
  for (const block of blocks) if (!(await isRecorded(db, block, await read(block)))) return block
  return undefined
}

const isDisagreement = (error: unknown): boolean =>
  error instanceof RaffleError && error.code === 'RPC_DISAGREE'

async function readBlock({ chain }: Deps, { event, wallets }: SecondStep, block: bigint): Promise<Payment[]> {
  const range = { from: block, to: block, head: block, isFresh: true }
  const { transfers } = await chain.transfers({ tokens: [event.token], wallets }, range)
  return groupPayments(transfers, new Set<string>(wallets))
}

const blocksOf = ({ from, to }: SecondStep) => ({ fromBlock: Number(from), toBlock: Number(to.height) })
