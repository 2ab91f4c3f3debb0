import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Memory, Progress } from '../../../core/verify/steps.ts'

type Kept = Partial<Progress> & { proofSha256: string }

const everyMs = 1_000

/**
 * How far the check of a proof came, in a file, so that one that was stopped goes on from there. Written once a second at
 * most: what was done since is done again. Throws if the file is of another proof.
 */
export function openMemory(file: string, proof: string): Memory {
  const proofSha256 = createHash('sha256').update(proof).digest('hex')
  let kept: Kept = { proofSha256 }
  const before = readKept(file)
  if (before && before.proofSha256 !== proofSha256) throw new Error(`${file} is of another proof.`)
  if (before) kept = before
  let writtenAt = 0
  return {
    load: () => kept,
    keep: (change) => {
      kept = { ...kept, ...change }
      if (Date.now() - writtenAt < everyMs) return
      writtenAt = Date.now()
      writeFileSync(`${file}.new`, JSON.stringify(kept))
      renameSync(`${file}.new`, file)
    },
  }
}

function readKept(file: string): Kept | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  try {
    const kept = JSON.parse(text) as Kept | null
    if (typeof kept?.proofSha256 === 'string') return kept
  } catch {
    // Said below.
  }
  throw new Error(`${file} is no file that --state made.`)
}
