import { parentPort } from 'node:worker_threads'
import { isSignatureOf } from '../draw/beacon.ts'
import type { Question, ThreadAnswer } from './signature-check.ts'

parentPort?.on('message', async ({ signature, round, publicKey }: Question) => {
  let answer: ThreadAnswer
  try {
    answer = { isRight: await isSignatureOf(signature, round, { publicKey }) }
  } catch (error) {
    answer = { error: String(error) }
  }
  parentPort?.postMessage(answer)
})
