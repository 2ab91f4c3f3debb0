import { RaffleError } from '../../core/errors.ts'
import { noteNodes } from '../../db/report/node-watch.ts'
import type { Header } from '../chain/index.ts'
import type { Deps } from '../deps.ts'

/** Two nodes of which one stands still agree on an old block. Without a clock nobody can tell how old it is. */
const standingSeconds = 60

/**
 * The newest final block, as two nodes have it. That they are missing is noted for the buyers, whose payments
 * wait for them, and ends with the first answer.
 */
export async function readFinalHead({ db, chain }: Pick<Deps, 'db' | 'chain'>): Promise<Header> {
  const head = await chain.finalized().catch(async (error) => {
    if (isNodesMissing(error)) await noteNodes(db, false)
    throw error
  })
  const { skewSeconds } = chain.health()
  await noteNodes(db, skewSeconds === null || skewSeconds > -standingSeconds)
  return head
}

/** Too few nodes answer, or no two say the same: what is paid cannot be confirmed. */
export const isNodesMissing = (error: unknown): boolean =>
  error instanceof RaffleError && (error.code === 'RPC_UNAVAILABLE' || error.code === 'RPC_DISAGREE')
