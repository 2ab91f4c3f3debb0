import { RaffleError } from '../../core/errors.ts'
import { noteNodes } from '../../db/report/health.ts'
import type { Chain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'

/** Two nodes of which one stands still agree on an old block. Without a clock nobody can tell how old it is. */
const standingSeconds = 60

/** What a scan comes to. That its nodes cannot be believed, or stand still, is noted for the buyers, until
 * `read` tells by `goesOn` of a step that two tell alike. */
export async function tellingBuyers<T>(
  { db, chain }: Pick<Deps, 'db' | 'chain'>,
  read: (goesOn: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const goesOn = async () => noteNodes(db, !(await standsStill(chain)))
  try {
    const found = await read(goesOn)
    await goesOn()
    return found
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
