import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * anvil overwrites its file in place, so it gets a second file, which replaces the first one at the next
 * start if it is complete: a kill in the middle of a write costs the last minute, not everything.
 */
export function stateFlags(file: string | undefined): string[] {
  if (file === undefined) return ['--cache-path', join(tmpdir(), 'blockdraw-anvil')]
  mkdirSync(dirname(file), { recursive: true })
  const next = `${file}.next`
  if (isWholeState(next)) renameSync(next, file)
  const load = existsSync(file) ? ['--load-state', file] : []
  const dump = ['--dump-state', next, '--state-interval', '60']
  return [...load, ...dump, '--cache-path', join(dirname(file), 'cache')]
}

const end = '"historical_states":null}'

/** False for a dump of anvil that was interrupted while being written. */
function isWholeState(file: string): boolean {
  if (!existsSync(file)) return false
  const handle = openSync(file, 'r')
  try {
    const tail = Buffer.alloc(end.length)
    readSync(handle, tail, 0, end.length, Math.max(0, fstatSync(handle).size - end.length))
    return tail.toString() === end
  } finally {
    closeSync(handle)
  }
}
