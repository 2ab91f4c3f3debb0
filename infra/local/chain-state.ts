import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

const end = '"historical_states":null}'

/** False for a dump of anvil that was interrupted while being written. */
export function isWholeState(file: string): boolean {
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
