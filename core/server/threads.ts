import { Worker } from 'node:worker_threads'

/** What a thread of `askThreads` posts for each question. */
export type ThreadAnswer = { isRight: boolean } | { error: string }

/**
 * Puts yes-or-no questions to threads that run `script`, which answers one message after another. As many threads are kept
 * as were ever asked at once; the caller bounds them. They keep no process alive. Throws, beginning with `failure`, when a
 * thread breaks; it is replaced.
 */
export function askThreads<Q>(script: string, failure: string): (question: Q) => Promise<boolean> {
  const idle: Worker[] = []
  return async (question) => {
    const thread = idle.pop() ?? new Worker(script)
    thread.ref()
    const answer = await ask(thread, question)
    thread.removeAllListeners()
    if ('error' in answer) {
      void thread.terminate()
      throw new Error(`${failure}: ${answer.error}`)
    }
    thread.unref()
    idle.push(thread)
    return answer.isRight
  }
}

const ask = (thread: Worker, question: unknown): Promise<ThreadAnswer> =>
  new Promise((resolve) => {
    thread.once('message', resolve)
    thread.once('error', (error) => resolve({ error: String(error) }))
    thread.once('exit', () => resolve({ error: 'the thread has ended' }))
    thread.postMessage(question)
  })
