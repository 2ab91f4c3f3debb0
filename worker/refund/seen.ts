import { isTemporary } from '../../core/errors.ts'
import { noteSeen, unseenHashes } from '../../db/refund/seen.ts'
import type { Deps } from '../deps.ts'

/**
 * Looks up the hashes that were reported for rows in flight, and notes their nonces. One that the endpoints do not know,
 * or not alike, explains nothing until they do.
 */
export async function lookUpReported({ db, chain }: Pick<Deps, 'db' | 'chain'>): Promise<void> {
  for (const hash of await unseenHashes(db)) {
    const sent = await chain.sent(hash).catch((error: unknown) => {
      if (!isTemporary(error)) throw error
      return undefined
    })
    if (sent) await noteSeen(db, sent)
  }
}
