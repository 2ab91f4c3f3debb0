import type { Hash } from 'viem'
import type { Jobs } from '../../core/jobs.ts'
import { isBeforeSale } from '../../core/payment/judge.ts'
import type { Payment, RpcLog } from '../../core/payment/payment.ts'
import { getOpenEvent, getSaleWallets } from '../../db/event/events.ts'
import { getScanCursor } from '../../db/event/sale.ts'
import { type Claim, type ClaimNote, noteClaims, resolveClaims, takeClaims } from '../../db/payment/claims.ts'
import { getSaleRules, notRecorded } from '../../db/payment/fold.ts'
import type { Lookup, Receipt } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { isNodesMissing } from './final-head.ts'
import { decisiveLogs, judgeReceipt } from './judge-receipt.ts'
import { mendBlock } from './mend.ts'

/** Wait for a payment on its way; the scan resolves its claim once it is final. */
const lookAgainMs = 2_000
/** A hash unknown to every endpoint for this long is called not found; posting it again reopens it. */
const giveUpAfterMs = 15 * 60_000
const longestWaitMs = 60_000

/**
 * Records the state of claimed transactions for their buyers; the scan alone gives out tickets.
 * Safe to run twice and in parallel: claims that are not due or are resolved are skipped. When the chain
 * cannot be read, nothing changes and no attempt is counted: the claims are due again 3 s later.
 */
export async function verifyPayment(deps: Deps, { hashes }: Jobs['verify-payment']): Promise<void> {
  const { db, chain, log } = deps
  const event = await getOpenEvent(db)
  if (!event) return
  const claims = await takeClaims(db, hashes)
  if (claims.length === 0) return
  // With one node a payment is shown to its buyer all the same; that it counts takes two.
  const final = await chain.finalized().catch((error) => {
    if (!isNodesMissing(error)) throw error
  })
  const wallets = new Set<string>(await getSaleWallets(db))
  const known = new Set(claims.filter(isOurs).map((claim) => claim.transactionHash))
  const pick = (logs: readonly RpcLog[]) => decisiveLogs(logs, { token: event.token, wallets })
  const lookups = await chain.lookUp(
    claims.map((claim) => claim.transactionHash),
    known,
    pick,
  )
  const receipts = new Map<Hash, Receipt>()
  const notes: ClaimNote[] = []
  for (const [index, claim] of claims.entries()) {
    const lookup = lookups[index] as Lookup
    if (lookup.state !== 'found') {
      notes.push(await noteUnseen(deps, claim, lookup))
      continue
    }
    const { receipt } = lookup
    const isFinal = final !== undefined && receipt.blockNumber <= final.number
    if (isFinal) receipts.set(claim.transactionHash, receipt)
    notes.push(noteSeen(claim, judgeReceipt(receipt, { isFinal, token: event.token, wallets })))
  }
  // A verdict needs two witnesses. Without them, previews are recorded and verdicts wait.
  const firm = await chain.confirm(receipts, pick).catch((err) => {
    log.warn({ err }, 'claims wait for a second endpoint')
    return new Set<Hash>()
  })
  await noteClaims(
    db,
    notes.map((note) =>
      note.status === 'rejected' && !firm.has(note.transactionHash) ? undecided(note) : note,
    ),
  )
  const passed = [...receipts].filter(([hash]) => firm.has(hash))
  await mendPassed(
    deps,
    passed.flatMap(
      ([, receipt]) => judgeReceipt(receipt, { isFinal: true, token: event.token, wallets }).payments,
    ),
  )
}

/**
 * Final payments of claims at or below the cursor: those on record end their claim, one that is not was missed, unless it is
 * from before the sale, as any stranger can name it.
 */
async function mendPassed(deps: Deps, final: readonly Payment[]): Promise<void> {
  const { db, chain } = deps
  const cursor = await getScanCursor(db)
  const passed = final.filter(({ blockNumber }) => cursor && blockNumber <= cursor.height)
  if (passed.length === 0) return
  const missed = await notRecorded(db, passed)
  const open = new Set(missed.map(({ transactionHash }) => transactionHash))
  await resolveClaims(
    db,
    passed.flatMap(({ transactionHash }) => (open.has(transactionHash) ? [] : transactionHash)),
  )
  if (missed.length === 0) return
  const rules = await getSaleRules(db)
  const blocks = [...new Set(missed.map(({ blockNumber }) => blockNumber))].sort((a, b) => (a < b ? -1 : 1))
  const headers = await chain.headers(blocks)
  for (const { number, timestamp } of headers) {
    const ours = missed.filter(({ blockNumber }) => blockNumber === number)
    const [first] = ours.filter((payment) => !isBeforeSale(payment, timestamp, rules))
    if (first) await mendBlock(deps, number, `payment ${first.transactionHash}`)
    else await noteClaims(db, ours.map(fromBefore))
  }
}

const fromBefore = ({ transactionHash }: Payment): ClaimNote => ({
  transactionHash,
  ...{ status: 'rejected', reason: 'early', seen: [], attempts: 0, retryInMs: null },
})

/** Its transaction was seen on chain, or an administrator asks: it does not wait behind made-up hashes. */
const isOurs = (claim: Claim): boolean => claim.status === 'confirming' || claim.source === 'admin'

function noteSeen(
  { transactionHash }: Claim,
  { payments, reason }: ReturnType<typeof judgeReceipt>,
): ClaimNote {
  if (reason) return { transactionHash, status: 'rejected', reason, seen: [], attempts: 0, retryInMs: null }
  const seen = payments.map(({ payer, units, blockNumber }) => ({
    payer,
    units: `${units}`,
    blockNumber: `${blockNumber}`,
  }))
  return {
    transactionHash,
    status: 'confirming',
    reason: null,
    seen,
    attempts: 0,
    retryInMs: lookAgainMs,
  }
}

const undecided = (note: ClaimNote): ClaimNote => ({
  ...note,
  status: 'confirming',
  reason: null,
  retryInMs: lookAgainMs,
})

/**
 * Only an answer of every endpoint, on a chain that moves, counts towards giving up, so an outage costs a
 * buyer no time. A transaction that some node still holds for a later block starts again from zero: it stays
 * open until nodes drop it, which they do once its nonce is used.
 */
async function noteUnseen({ chain }: Deps, claim: Claim, lookup: Exclude<Lookup, { state: 'found' }>) {
  const { transactionHash, reason, seen, attempts } = claim
  const status = claim.status === 'not_found' ? 'received' : claim.status
  const same = { transactionHash, status, reason, seen, attempts }
  if (lookup.state === 'deferred') return { ...same, retryInMs: lookup.retryInMs }
  if (!lookup.everywhere) return { ...same, retryInMs: Math.max(waitMs(attempts), lookAgainMs) }
  if (waitedMs(attempts) < giveUpAfterMs)
    return { ...same, attempts: attempts + 1, retryInMs: waitMs(attempts) }
  if (await chain.isWaiting(transactionHash)) return { ...same, attempts: 0, retryInMs: longestWaitMs }
  return { transactionHash, status: 'not_found', reason: null, seen: [], attempts, retryInMs: null } as const
}

const waitMs = (attempts: number): number => Math.min(1_000 * 2 ** attempts, longestWaitMs)

/**
 * Sum of the waits before this attempt, at least.
 * @internal
 */
export function waitedMs(attempts: number): number {
  let sum = 0
  for (let attempt = 0; attempt < attempts; attempt++) sum += waitMs(attempt)
  return sum
}
