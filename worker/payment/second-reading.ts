import type { Payment } from '../../core/payment/payment.ts'
import { stopwatch } from '../../core/server/time.ts'
import { getSaleWallets } from '../../db/event/events.ts'
import { firstSaleStart } from '../../db/payment/fold.ts'
import { freezeLedger } from '../../db/payment/ledger.ts'
import {
  beginSecondReading,
  compareSecond,
  type DueReading,
  dueSecondReading,
  noteUnreadTwice,
  type SecondStep,
  stepBlocks,
} from '../../db/payment/second-reading.ts'
import type { Header } from '../chain/headers.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from './first-block.ts'
import { paymentsIn } from './read.ts'
import { each, mendBlock } from './rewind.ts'

/** Reads the sale again, by another endpoint or in another way, and compares it with the record; where they
 * differ the receipts decide. Safe to run twice and by many workers. */
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
    const start = (await firstSaleStart(db, event.number)) ?? event.saleStart
    const first = await firstBlockSince(chain, start.getTime() / 1000, head, 0n, clock)
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

/** So many of the blocks that one endpoint tells otherwise are proven; where it is more, the next one reads. */
const mostDiffering = 5

async function readStep(deps: Deps, step: SecondStep): Promise<boolean> {
  const { db, chain, log } = deps
  const { event, from, to, wallets } = step
  // Without a wallet there is nothing that anybody could tell.
  if (wallets.length === 0) return (await compareSecond(db, step, [])) === 'equal'
  // Looked at by themselves: the record holds what they are proven to hold.
  const settled: bigint[] = []
  // What a proven liar tells of other blocks counts only where nobody else can be asked.
  let last: (() => ReturnType<typeof compareSecond>) | undefined
  const watch = { tokens: [event.token], wallets }
  for await (const { host, setAside, ...told } of chain.readAgain(watch, { from, to: to.height })) {
    const found = paymentsIn(told, wallets)
    const compare = () => compareSecond(db, step, found, settled)
    let outcome = await compare()
    while (typeof outcome !== 'string') {
      const differing = outcome.slice(0, mostDiffering)
      const isWrong = await mendBlocks(deps, differing, found)
      // Where no record was wrong another worker may have mended it meanwhile.
      const now = isWrong ? undefined : await compare()
      settled.push(...differing)
      if (now && typeof now !== 'string') {
        const facts = { block: `${differing[0]}`, by: 'receiptsRoot' }
        setAside(facts)
        log.fatal({ host, ...facts }, 'an endpoint tells other payments than the chain')
        last = now.length === differing.length ? compare : last
        break
      }
      outcome = now ?? (await compare())
    }
    // After a rewind nothing of what was read counts: the cursor is back.
    if (typeof outcome === 'string') return outcome === 'equal'
  }
  const after = await last?.()
  if (after === 'equal' || after === 'moved') return after === 'equal'
  throw new Error(`no endpoint tells the payments of blocks ${from} to ${to.height} as they are on record`)
}

/** True where any of them was wrong on record. */
async function mendBlocks(deps: Deps, blocks: readonly bigint[], read: readonly Payment[]): Promise<boolean> {
  let isWrong = false
  await each(blocks, async (block) => {
    isWrong = (await mendBlock(deps, { block, text: 'what the second reading tells', read })) || isWrong
  })
  return isWrong
}

const blocksOf = ({ from, to }: SecondStep) => ({ fromBlock: Number(from), toBlock: Number(to.height) })

/** Freezes the ledger once every block before the sale end is folded and read twice, or half the lead later
 * without that. Posted hashes never delay it. Safe to run twice. */
export async function closeSale(deps: Deps): Promise<void> {
  const { db, log } = deps
  const durationMs = stopwatch()
  await readSecond(deps).catch((err) => log.warn({ err }, 'the sale is not read twice yet'))
  const frozen = await freezeLedger(db, { waitForSecondReading: true })
  if (!frozen) return
  log.info({ ...frozen, durationMs: durationMs() }, 'ledger frozen')
  if (!frozen.isReadTwice)
    log.fatal({ eventNumber: frozen.eventNumber }, 'ledger frozen without a second reading of the sale')
}
