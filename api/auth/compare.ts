import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'

export type Question = { hash: string; password: string }
export type Answer = { isRight: boolean } | { error: string }

/** Stands beside this file, as source and in the bundle. */
const script = join(import.meta.dirname, `compare-thread${extname(import.meta.filename)}`)
const idle: Worker[] = []

/**
 * Compares a password with its argon2 hash on a thread of low priority, so a flood of logins uses only the
 * processor time that visitors leave. As many threads are kept as ever compared at once; the caller bounds
 * them.
 */
export async function compare(hash: string, password: string): Promise<boolean> {
  const thread = idle.pop() ?? new Worker(script)
  thread.ref()
  const answer = await ask(thread, { hash, password })
  thread.removeAllListeners()
  if ('error' in answer) {
    void thread.terminate()
    throw new Error(`A password could not be compared: ${answer.error}`)
  }
  thread.unref()
  idle.push(thread)
  return answer.isRight
}

const ask = (thread: Worker, question: Question): Promise<Answer> =>
  new Promise((resolve) => {
    thread.once('message', resolve)
    thread.once('error', (error) => resolve({ error: String(error) }))
    thread.once('exit', () => resolve({ error: 'the thread has ended' }))
    thread.postMessage(question)
  })
