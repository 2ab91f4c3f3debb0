import { jobId } from '../../core/jobs.ts'
import { dueClaims } from '../../db/queries/claims.ts'
import { canFreeze } from '../../db/queries/ledger.ts'
import type { Bell } from '../../db/queue.ts'
import type { Deps } from '../deps.ts'

type Rung = { db: Deps['db']; bell: Pick<Bell, 'ring' | 'ringAll'> }

/** Rings for everything that is due by its row: the queue may have forgotten it, the row has not. */
export async function sweep({ db, bell }: Rung): Promise<void> {
  await ringClaims({ db, bell })
  // An id per time slot: a job lost with a killed worker does not keep the next one out.
  if (await canFreeze(db)) await bell.ring('close-sale', {}, { jobId: `close-sale-${slot()}` })
}

const slotMs = 2_000
const slot = (): number => Math.floor(Date.now() / slotMs)

const batch = 500

async function ringClaims({ db, bell }: Rung): Promise<void> {
  const hashes = await dueClaims(db, batch)
  if (hashes.length === 0) return
  await bell.ringAll(
    'verify-payment',
    hashes.map((hash) => ({ payload: { hash }, jobId: jobId.verifyPayment(hash) })),
  )
}
