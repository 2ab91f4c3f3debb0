import type { Deps } from '../deps.ts'

/** Calls a worker to a signature that only a contract can judge; the sweeper would find it too, later. */
export const askWorkers = (jobs: Deps['jobs']) => (id: number) =>
  void jobs.enqueue('watch-refunds', {}, { jobId: `watch-refunds-proof-${id}` })
