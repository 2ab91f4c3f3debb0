import type { Address } from 'viem'
import type { Jobs } from '../../core/jobs.ts'
import { isBeforeSale } from '../../core/payment/judge.ts'
import {
  decodeTransfer,
  groupPayments,
  type Payment,
  type PaymentReason,
  type RpcLog,
  transferTopic,
} from '../../core/payment/payment.ts'
import { realClock } from '../../core/server/time.ts'
import { getOpenEvent, getSaleWallets } from '../../db/event/events.ts'
import { getScanCursor } from '../../db/event/sale.ts'
import {
  type Claim,
  type ClaimNote,
  getClaim,
  noteClaims,
  resolveClaims,
  takeClaims,
} from '../../db/payment/claims.ts'
import { getSaleRules } from '../../db/payment/fold.ts'
import { notRecorded } from '../../db/payment/second-reading.ts'
import type { Receipt } from '../chain/receipts.ts'
import type { Lookup } from '../chain/state.ts'
import type { Deps } from '../deps.ts'
import { mendBlock } from './rewind.ts'
import { isNodesMissing } from './scan.ts'

/** Wait for a payment on its way; the scan resolves its claim once it is final. */
const lookAgainMs = 2_000
/** A hash unknown to every endpoint for this long is called not found; posting it again reopens it. */
const giveUpAfterMs = 15 * 60_000
const longestWaitMs = 60_000

/** For their buyers; the scan alone gives out tickets. Safe to run twice and in parallel. When the chain
 * cannot be read nothing changes, and the claims are due again 3 s later. */
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
  )
  const found = claims.flatMap((claim, at) => (lookups[at]?.state === 'found' ? claim.transactionHash : []))
  // What is told, and a verdict more so, needs two witnesses. Without them both wait.
  const agreed = await chain.confirm(found, pick).catch((err): undefined[] => {
    log.warn({ err }, 'claims wait for a second endpoint')
    return []
  })
  const receipts = new Map(found.map((hash, at) => [hash, agreed[at]]))
  const notes: ClaimNote[] = []
  const passed: Payment[] = []
  for (const [index, claim] of claims.entries()) {
    const lookup = lookups[index] as Lookup
    const receipt = receipts.get(claim.transactionHash)
    if (lookup.state !== 'found') notes.push(await noteUnseen(deps, claim, lookup))
    else if (!receipt) notes.push(waiting(claim, claim.seen))
    else {
      const isFinal = final !== undefined && receipt.blockNumber <= final.number
      const sight = judgeReceipt(receipt, { isFinal, token: event.token, wallets })
      notes.push(noteSeen(claim, sight))
      if (isFinal) passed.push(...sight.payments)
    }
  }
  await noteClaims(db, notes)
  await mendPassed(deps, passed)
}

/** Final payments of claims at or below the cursor: those on record end their claim, one that is not was
 * missed, unless it is from before the sale, as any stranger can name it. */
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
    if (first) await mendBlock(deps, { block: number, text: `payment ${first.transactionHash}` })
    else await noteClaims(db, ours.map(fromBefore))
  }
}

const fromBefore = ({ transactionHash }: Payment): ClaimNote => ({
  transactionHash,
  ...{ status: 'rejected', reason: 'early', seen: [], attempts: 0, retryInMs: null },
})

/** Its transaction was seen on chain, or an administrator asks: it does not wait behind made-up hashes. */
const isOurs = (claim: Claim): boolean => claim.status === 'confirming' || claim.source === 'admin'

function noteSeen(claim: Claim, { payments, reason }: ReturnType<typeof judgeReceipt>): ClaimNote {
  const { transactionHash } = claim
  if (reason) return { transactionHash, status: 'rejected', reason, seen: [], attempts: 0, retryInMs: null }
  const seen = payments.map(({ payer, units, blockNumber }) => ({
    ...{ payer, units: `${units}`, blockNumber: `${blockNumber}` },
  }))
  return waiting(claim, seen)
}

const waiting = ({ transactionHash }: Claim, seen: ClaimNote['seen']): ClaimNote => ({
  ...{ transactionHash, status: 'confirming', reason: null, seen, attempts: 0, retryInMs: lookAgainMs },
})

/** Only an answer of every endpoint, on a chain that moves, counts towards giving up. What some node still
 * holds for a later block starts again from zero. */
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

/** Sum of the waits before this attempt, at least. @internal */
export function waitedMs(attempts: number): number {
  let sum = 0
  for (let attempt = 0; attempt < attempts; attempt++) sum += waitMs(attempt)
  return sum
}

/** What a receipt shows. `reason` is set only where its block is final and there is no payment in it. */
export type Sight = { payments: Payment[]; reason: PaymentReason | null }
type Terms = { isFinal: boolean; token: Address; wallets: ReadonlySet<string> }

/** A receipt is a preview until its block is final; then a receipt without a payment is rejected for good. @internal */
export function judgeReceipt(receipt: Receipt, { isFinal, token, wallets }: Terms): Sight {
  const transfers = receipt.logs.flatMap((log) => decodeTransfer(log, token) ?? [])
  const payments = receipt.status === 'success' ? groupPayments(transfers, wallets) : []
  const reason = isFinal && payments.length === 0 ? whyNothing(receipt, { token, wallets }) : null
  return { payments, reason }
}

type Ours = Omit<Terms, 'isFinal'>

/** The logs that a verdict rests on: our token's transfers to our wallets, and one of another token. All
 * others of a transaction, and there may be tens of thousands, are not kept. */
function decisiveLogs(logs: readonly RpcLog[], { token, wallets }: Ours): RpcLog[] {
  const other = logs.find(isOtherToken({ token, wallets }))
  const own = logs.filter((log) => wallets.has(decodeTransfer(log, token)?.to ?? ''))
  return other ? [...own, other] : own
}

/** A zero transfer of the right token is no transfer; the sender of another token gets a reason of its own. */
function whyNothing(receipt: Receipt, ours: Ours): PaymentReason {
  if (receipt.status === 'reverted') return 'reverted'
  return receipt.logs.some(isOtherToken(ours)) ? 'wrong_token' : 'no_transfer'
}

const isOtherToken =
  ({ token, wallets }: Ours) =>
  ({ address, topics }: RpcLog): boolean =>
    address.toLowerCase() !== token.toLowerCase() &&
    topics[0] === transferTopic &&
    topics[2]?.length === 66 &&
    wallets.has(`0x${topics[2].slice(26).toLowerCase()}`)

const askAgainMs = 2_000

/** A hash that no endpoint knows, asked twice over 2 s, is not found at once instead of after the buyer's 15
 * minutes. Safe to run twice, as verification is. */
export async function ingestManual(deps: Deps, { hash }: Jobs['ingest-manual']): Promise<void> {
  await verifyPayment(deps, { hashes: [hash] })
  const claim = await getClaim(deps.db, hash)
  if (claim?.source !== 'admin' || claim.status !== 'received') return
  await (deps.clock ?? realClock).sleep(askAgainMs)
  const [lookup] = await deps.chain.lookUp([hash], new Set([hash]))
  if (lookup?.state === 'found') return verifyPayment(deps, { hashes: [hash] })
  if (await deps.chain.isWaiting(hash)) return
  const nothing = { status: 'not_found', reason: null, seen: [], attempts: 0, retryInMs: null } as const
  await noteClaims(deps.db, [{ transactionHash: hash, ...nothing }])
}
