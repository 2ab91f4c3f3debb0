import { RaffleError } from '../../core/errors.ts'
import { poll } from '../../core/server/time.ts'
import { askErrand, type ErrandKind, getAnswer, giveUpErrand } from '../../db/draw/worker-requests.ts'
import type { Deps } from '../deps.ts'

const waitMs = 8_000
const lookEveryMs = 80

/**
 * Has a worker do what needs the chain, and waits up to 8 s for its answer. The row is committed before the
 * bell rings, so the sweeper finds it too; when time runs out it is withdrawn, so nothing is done behind the
 * back of whoever was told that it failed. Throws the refusal.
 */
export async function runErrand(
  { db, bell }: Pick<Deps, 'db' | 'bell'>,
  errand: { kind: ErrandKind; eventNumber: number; transactionHash?: `0x${string}` },
): Promise<void> {
  const { kind, eventNumber } = errand
  const id = await askErrand(db, { ...errand, waitMs })
  void bell.ring(kind, { eventNumber }, { jobId: `${kind}-${eventNumber}-errand-${id}` })
  const answer = await poll(() => getAnswer(db, id), { withinMs: waitMs, everyMs: lookEveryMs })
  const { code, message } = answer ?? (await giveUpErrand(db, id))
  if (code) throw new RaffleError(code, message ?? 'This could not be done.')
}
