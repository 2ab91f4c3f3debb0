import { RaffleError } from '../../core/errors.ts'
import { noteNodes } from '../../db/report/health.ts'
import type { Chain, Header } from '../chain/index.ts'
import type { Deps } from '../deps.ts'

/** Two nodes of which one stands still agree on an old block. Without a clock nobody can tell how old it is. */
const standingSeconds = 60

/**
 * The newest final block, as two nodes have it, or the only one. That they are missing is noted for the buyers, whose
 * payments wait for them, and ends with the first answer. Nodes that stand still are missing too: nothing that is
 * paid can become final.
 */
export async function readFinalHead({ db, chain }: Pick<Deps, 'db' | 'chain'>): Promise<Header> {
  try {
    const head = await chain.finalized()
    await noteNodes(db, !(await standsStill(chain)))
    return head
  } catch (error) {
    if (isNodesMissing(error)) await noteNodes(db, false)
    throw error
  }
}

/** The newest block is asked for only now and then, but until a standing chain moves again every time. */
async function standsStill(chain: Chain): Promise<boolean> {
  if (!isOld(chain)) return false
  await chain.latest()
  return isOld(chain)
}

const isOld = (chain: Chain): boolean => (chain.health().skewSeconds ?? 0) <= -standingSeconds

/** Too few nodes answer, or no two say the same: what is paid cannot be confirmed. */
export const isNodesMissing = (error: unknown): boolean =>
  error instanceof RaffleError && (error.code === 'RPC_UNAVAILABLE' || error.code === 'RPC_DISAGREE')
