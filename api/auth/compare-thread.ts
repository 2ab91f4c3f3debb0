import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { verifySync } from '@node-rs/argon2'
import type { Answer, Question } from './compare.ts'

/** One comparison after the other, on a thread that gives way to the event loop and the database. */
beModest()
parentPort?.on('message', ({ hash, password }: Question) => {
  let answer: Answer
  try {
    answer = { isRight: verifySync(hash, password) }
  } catch (error) {
    answer = { error: String(error) }
  }
  parentPort?.postMessage(answer)
})

/** Of this thread alone on Linux; elsewhere it would be the priority of the whole process. */
function beModest(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, 10)
  } catch {
    // The whole process is more modest already.
  }
}
