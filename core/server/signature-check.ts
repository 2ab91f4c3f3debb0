import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Hex } from 'viem'
import type { BeaconNetwork } from '../draw/beacon.ts'
import { limit } from './concurrency.ts'

export type Question = { signature: Hex; round: number; publicKey: Hex }
export type ThreadAnswer = { isRight: boolean } | { error: string }

/** Stands beside this file, as source and in the bundle. */
const script = join(import.meta.dirname, `signature-thread${extname(import.meta.filename)}`)
const oneByOne = limit(1)
/** Kept between questions; it keeps no process alive. One that breaks is replaced. */
let thread: Worker | undefined

/** `isSignatureOf` on a thread, one at a time: a check takes 60 to 150 ms. Throws when the thread breaks. */
export const isSignature = (signature: Hex, round: number, { publicKey }: Pick<BeaconNetwork, 'publicKey'>) =>
  oneByOne(async () => {
    const asked = thread ?? new Worker(script)
    thread = asked
    asked.ref()
    const answer = await ask(asked, { signature, round, publicKey })
    asked.removeAllListeners()
    asked.unref()
    if ('isRight' in answer) return answer.isRight
    thread = undefined
    void asked.terminate()
    throw new Error(`A signature could not be checked: ${answer.error}`)
  })

const ask = (asked: Worker, question: Question): Promise<ThreadAnswer> =>
  new Promise((resolve) => {
    asked.once('message', resolve)
    asked.once('error', (error) => resolve({ error: String(error) }))
    asked.once('exit', () => resolve({ error: 'the thread has ended' }))
    asked.postMessage(question)
  })
