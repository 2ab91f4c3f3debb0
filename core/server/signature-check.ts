import { extname, join } from 'node:path'
import type { Hex } from 'viem'
import type { BeaconNetwork } from '../draw/beacon.ts'
import { limit } from './concurrency.ts'
import { askThreads } from './threads.ts'

export type Question = { signature: Hex; round: number; publicKey: Hex }

/** Stands beside this file, as source and in the bundle. */
const script = join(import.meta.dirname, `signature-thread${extname(import.meta.filename)}`)
const ask = askThreads<Question>(script, 'A signature could not be checked')
const oneByOne = limit(1)

/**
 * As `isSignatureOf`, on a thread of its own: a check takes 60 to 150 ms, in which the process goes on. One at a time; the
 * caller bounds how many wait.
 */
export const isSignature = (
  signature: Hex,
  round: number,
  { publicKey }: Pick<BeaconNetwork, 'publicKey'>,
): Promise<boolean> => oneByOne(() => ask({ signature, round, publicKey }))
