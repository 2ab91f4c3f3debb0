import { RaffleError } from '../../core/errors.ts'
import { poll } from '../../core/server/time.ts'
import {
  addWorkerRequest,
  cancelWorkerRequest,
  getAnswer,
  type WorkerRequestKind,
} from '../../db/draw/worker-requests.ts'
import type { Deps } from '../deps.ts'

const waitMs = 8_000
const lookEveryMs = 80

/**
 * Asks a worker to do what needs the chain, and waits up to 8 s for its answer. The row is committed before
 * the job is added, so the sweeper finds it too. After a timeout the row is withdrawn, so a worker does
 * nothing that the caller was told has failed. Throws the refusal.
 */
export async function workerRequest(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  request: { kind: WorkerRequestKind; eventNumber: number; transactionHash?: `0x${string}` },
): Promise<void> {
  const { kind, eventNumber } = request
  const id = await addWorkerRequest(db, { ...request, waitMs })
  void jobs.enqueue(kind, { eventNumber }, { jobId: `${kind}-${eventNumber}-request-${id}` })
  const answer = await poll(() => getAnswer(db, id), { withinMs: waitMs, everyMs: lookEveryMs }, clock)
  const { code, message } = answer ?? (await cancelWorkerRequest(db, id))
  // The worker's own message, in English, is meant for the log.
  if (code === 'RPC_UNAVAILABLE')
    throw new RaffleError(code, '체인 노드에 연결할 수 없습니다. 잠시 후 다시 시도해주세요.')
  if (code) throw new RaffleError(code, message ?? 'This could not be done.')
}
