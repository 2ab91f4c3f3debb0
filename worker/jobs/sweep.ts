import { jobId } from '../../core/jobs.ts'
import { dueClaims } from '../../db/queries/claims.ts'
import type { Bell } from '../../db/queue.ts'
import type { Deps } from '../deps.ts'

const batch = 500

/** Rings again for every claim that is due: the queue may have forgotten it, the row has not. */
export async function sweep({ db }: Pick<Deps, 'db'>, bell: Pick<Bell, 'ringAll'>): Promise<void> {
  const hashes = await dueClaims(db, batch)
  if (hashes.length === 0) return
  await bell.ringAll(
    'verify-payment',
    hashes.map((hash) => ({ payload: { hash }, jobId: jobId.verifyPayment(hash) })),
  )
}
