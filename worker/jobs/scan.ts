import { RaffleError } from '../../core/errors.ts'
import { decodeTransfer, groupPayments, judgePayment, type Payment } from '../../core/payment.ts'
import { resolveClaims } from '../../db/queries/claims.ts'
import { type Event, getOpenEvent, getSaleTerms, getWatchedWallets } from '../../db/queries/events.ts'
import { recordPayments } from '../../db/queries/payments.ts'
import { advanceCursor, getScanCursor, type ScanCursor } from '../../db/queries/scan.ts'
import { bumpVersion } from '../../db/queries/version.ts'
import type { Chain, Header } from '../chain.ts'
import type { Deps } from '../deps.ts'
import { firstBlockSince } from './first-block.ts'

const rangeBlocks = 2_000n

/**
 * Folds every final block that has not been folded yet into payments, in chain order, and alone gives out
 * ticket numbers. Safe to run twice and by many workers at once: the cursor moves in the transaction that
 * records the payments, and only from where it was read.
 */
export async function scan({ db, chain, log }: Deps): Promise<void> {
  const event = await getOpenEvent(db)
  if (!event) return
  const head = await chain.finalized()
  for (;;) {
    const before = await getScanCursor(db)
    const from = before
      ? before.height + 1n
      : await firstBlockSince(chain, event.saleStart.getTime() / 1000, head)
    if (from > head.number) return
    if (before) await expectUnchanged(chain, before)
    const to = from + rangeBlocks - 1n < head.number ? from + rangeBlocks - 1n : head.number
    const wallets = await getWatchedWallets(db)
    const found = await readPayments(chain, event, wallets, from, to)
    const end = to === head.number ? head : await mustHave(chain, to)
    const tickets = await fold({ db }, before, end, found)
    if (found.length > 0)
      log.info({ from: `${from}`, to: `${to}`, payments: found.length, tickets }, 'scanned')
  }
}

type FoundPayment = Payment & { blockTime: number }

/** One transaction: payments, tickets, claims, cursor, version. Undefined if another worker was first. */
async function fold(
  { db }: Pick<Deps, 'db'>,
  before: ScanCursor | undefined,
  end: Header,
  found: readonly FoundPayment[],
): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    const after = { height: end.number, hash: end.hash, blockTime: new Date(end.timestamp * 1000) }
    if (!(await advanceCursor(tx, before, after))) return undefined
    if (found.length === 0) return 0
    const terms = await getSaleTerms(tx)
    const judged = found.map((payment) => ({
      ...payment,
      ...judgePayment(payment, payment.blockTime, terms),
    }))
    const tickets = await recordPayments(tx, judged)
    await resolveClaims(tx, [...new Set(judged.map((payment) => payment.transactionHash))])
    await bumpVersion(tx)
    return tickets
  })
}

async function readPayments(
  chain: Chain,
  event: Event,
  wallets: Awaited<ReturnType<typeof getWatchedWallets>>,
  from: bigint,
  to: bigint,
): Promise<FoundPayment[]> {
  if (wallets.length === 0) return []
  const logs = await chain.transferLogs(event.token, wallets, from, to)
  const transfers = logs.flatMap((log) => decodeTransfer(log, event.token) ?? [])
  const found = groupPayments(transfers, new Set(wallets))
  const heights = [...new Set(found.map((payment) => payment.blockNumber))]
  const headers = new Map((await chain.headers(heights)).map((header) => [header.number, header]))
  return found.map((payment) => {
    const header = headers.get(payment.blockNumber)
    if (header?.hash !== payment.blockHash)
      throw new RaffleError('RPC_DISAGREE', 'Logs and blocks do not agree.', {
        height: `${payment.blockNumber}`,
      })
    return { ...payment, blockTime: header.timestamp }
  })
}

async function expectUnchanged(chain: Chain, cursor: ScanCursor): Promise<void> {
  const header = await chain.header(cursor.height)
  if (header?.hash !== cursor.hash)
    throw new RaffleError('RPC_DISAGREE', 'A final block has changed.', { height: `${cursor.height}` })
}

async function mustHave(chain: Chain, height: bigint): Promise<Header> {
  const header = await chain.header(height)
  if (!header) throw new RaffleError('RPC_UNAVAILABLE', 'A final block is missing.', { height: `${height}` })
  return header
}
