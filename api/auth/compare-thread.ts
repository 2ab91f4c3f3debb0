import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { verifySync } from '@node-rs/argon2'
import type { ThreadAnswer } from '../../core/server/threads.ts'
import type { Question } from './compare.ts'

/** Compares one password after another on a thread of low priority. */
beModest()
parentPort?.on('message', ({ hash, password }: Question) => {
  let answer: ThreadAnswer
  try {
    answer = { isRight: verifySync(hash, password) }
  } catch (error) {
    answer = { error: String(error) }
  }
  parentPort?.postMessage(answer)
})

/** On Linux this lowers the priority of this thread only; elsewhere it would affect the whole process. */
function beModest(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, 10)
  } catch {
    // The whole process already has a lower priority.
  }
}
