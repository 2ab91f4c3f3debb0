import type { Jobs } from '../../core/jobs.ts'
import { realClock } from '../../core/server/time.ts'
import { getClaim, noteClaims } from '../../db/payment/claims.ts'
import type { Deps } from '../deps.ts'
import { verifyPayment } from './verify.ts'

const askAgainMs = 2_000

/**
 * Looks at a hash that an administrator entered. A hash that no endpoint knows, asked twice over 2 s, is
 * called not found at once instead of after the buyer's 15 minutes; one that still waits for its block is
 * not. Safe to run twice, as verification is.
 */
export async function ingestManual(deps: Deps, { hash }: Jobs['ingest-manual']): Promise<void> {
  await verifyPayment(deps, { hashes: [hash] })
  const claim = await getClaim(deps.db, hash)
  if (claim?.source !== 'admin' || claim.status !== 'received') return
  await (deps.clock ?? realClock).sleep(askAgainMs)
  if (await deps.chain.receipt(hash)) return verifyPayment(deps, { hashes: [hash] })
  if (await deps.chain.isWaiting(hash)) return
  const nothing = { status: 'not_found', reason: null, seen: [], attempts: 0, retryInMs: null } as const
  await noteClaims(deps.db, [{ transactionHash: hash, ...nothing }])
}
