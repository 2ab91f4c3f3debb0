import { connect, createServer, type Server, type Socket } from 'node:net'

type TcpFault =
  | 'none'
  /** New connections are refused and open ones reset. */
  | 'reset'
  /** Bytes are taken and never passed on, in either direction. */
  | 'silent'

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>

/** Stands between us and Redis or Postgres and fails as networks do. */
export async function startTcpProxy(target: { port: number }) {
  let fault: TcpFault = 'none'
  let trigger: { text: string; time: number } | undefined
  const pairs = new Set<readonly [Socket, Socket]>()
  let taken = 0

  const server: Server = createServer((inner) => {
    if (fault === 'reset') {
      inner.resetAndDestroy()
      return
    }
    const outer = connect({ host: '127.0.0.1', port: target.port })
    const pair = [inner, outer] as const
    taken += 1
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      inner.destroy()
      outer.destroy()
    }
    for (const socket of pair) {
      socket.on('error', end)
      socket.on('close', end)
    }
    let seen = 0
    pass(inner, outer, (chunk) => {
      if (!trigger || !chunk.includes(trigger.text) || ++seen < trigger.time) return
      trigger = undefined
      // The other side has it, its answer is lost.
      setTimeout(() => inner.resetAndDestroy(), 20)
      outer.removeAllListeners('data')
    })
    pass(outer, inner)
  })

  function pass(from: Socket, to: Socket, seen?: (chunk: Buffer) => void): void {
    from.on('data', (chunk: Buffer) => {
      seen?.(chunk)
      if (fault !== 'silent' && !to.destroyed) to.write(chunk)
    })
  }
  const cut = () => {
    for (const [inner, outer] of pairs) {
      inner.resetAndDestroy()
      outer.destroy()
    }
    pairs.clear()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    /** How many connections were taken. */
    taken: () => taken,
    set: (next: TcpFault) => {
      fault = next
      if (next === 'reset') cut()
    },
    /** Resets every open connection once. */
    cut,
    /** Cuts the first connection over which this text passes so many times, before its answer comes back. */
    cutAfter: (text: string, time = 1) => {
      trigger = { text, time }
    },
    close: () => {
      cut()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
