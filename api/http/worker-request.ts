import { RaffleError } from '../../core/errors.ts'
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
  const deadline = performance.now() + waitMs
  let answer = await getAnswer(db, id)
  while (!answer && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    answer = await getAnswer(db, id)
  }
  const { code, message } = answer ?? (await giveUpErrand(db, id))
  // What the chain's reader says of itself, in English, is for the log.
  if (code === 'RPC_UNAVAILABLE')
    throw new RaffleError(code, '체인 노드에 연결할 수 없습니다. 잠시 후 다시 시도해주세요.')
  if (code) throw new RaffleError(code, message ?? 'This could not be done.')
}
