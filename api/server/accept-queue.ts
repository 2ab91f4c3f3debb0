import { dlopen, FFIType } from 'bun:ffi'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** As many as Linux lets wait by default (net.core.somaxconn). */
const queue = 4_096
const listening = '0A'

/**
 * Lets more connections wait until this process takes them. The runtime asks for 512 and has no setting for it: of thousands of
 * pages that come back together the kernel dropped those above, and each of these tried again after 1, 3 or 7 s. A
 * second `listen` on a socket only sets its queue. Linux alone; elsewhere, and if it fails, the 512 stay.
 */
export function widenAcceptQueue(port: number, onError: (error: unknown) => void): void {
  if (process.platform !== 'linux') return
  try {
    const sockets = listenersOf(port)
    const libc = dlopen('libc.so.6', { listen: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } })
    for (const fd of ownFiles(sockets))
      if (libc.symbols.listen(fd, queue) !== 0) throw new Error(`listen was refused for the port ${port}.`)
    libc.close()
  } catch (error) {
    onError(error)
  }
}

/** How /proc/self/fd names the sockets that listen on this port. */
function listenersOf(port: number): ReadonlySet<string> {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => readFileSync(path, 'utf8').split('\n'))
  const found = lines.map((line) => line.trim().split(/\s+/))
  return new Set(
    found
      .filter(([, local, , state]) => local?.endsWith(ending) && state === listening)
      .map((fields) => `socket:[${fields[9]}]`),
  )
}

const ownFiles = (names: ReadonlySet<string>): number[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return names.has(readlinkSync(`/proc/self/fd/${fd}`)) ? [Number(fd)] : []
    } catch {
      // Closed since it was listed.
      return []
    }
  })
