import { connect, createServer, type Server, type Socket } from 'node:net'

type TcpFault =
  | 'none'
  /** New connections are refused and open ones reset. */
  | 'reset'
  /** Bytes are taken and never passed on, in either direction. */
  | 'silent'
  /** Bytes are kept until `deliver`, as on a path that is away: so are later ones of the same connection. */
  | 'away'

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>

/** Stands between us and Redis or Postgres and fails as networks do. */
export async function startTcpProxy(target: { port: number }) {
  let fault: TcpFault = 'none'
  let trigger: { text: string; time: number } | undefined
  const pairs = new Set<readonly [Socket, Socket]>()
  const abandoned = new WeakSet<Socket>()
  let late = new WeakSet<Socket>()
  const kept: (() => void)[] = []
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
      if (fault === 'silent' || abandoned.has(from)) return
      const write = () => void (to.destroyed || to.write(chunk))
      if (fault === 'away') late.add(from)
      if (late.has(from)) kept.push(write)
      else write()
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
    /** Every open connection is silent from now on, as after a failover; new ones are not. */
    abandon: () => {
      for (const socket of [...pairs].flat()) abandoned.add(socket)
    },
    /** The bytes of every open connection are kept until `deliver`; those of new ones are not. */
    hold: () => {
      for (const socket of [...pairs].flat()) late.add(socket)
    },
    /** Passes on what was kept: on a path that is back the kernel sends it again, sooner or later. */
    deliver: () => {
      late = new WeakSet()
      for (const write of kept.splice(0)) write()
    },
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
