import { createServer } from 'node:net'
import { threadId } from 'node:worker_threads'
import { StartProblem } from './child.ts'

/** Below the ports that systems give to whoever asks for any: those are taken again before a program of ours listens. */
const first = 15_000
const count = 16_000
const threads = 8
const share = count / threads
/** What asks for a port may take the ten behind it instead, as workers do for their metrics. */
const stride = 13
/** Threads of a process have a share each; processes begin at different places. */
let asked = (process.pid * 389) % share

/** A free port of the loopback address, that this process does not get again soon. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < share; tried++) {
    const port = first + (threadId % threads) * share + ((asked++ * stride) % share)
    if (await isPortFree(port)) return port
  }
  throw new StartProblem(`No port from ${first} to ${first + count} is free.`)
}

/** False when somebody listens there, on all addresses or on the loopback one alone. @internal */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ['0.0.0.0', '127.0.0.1']) if (!(await canListen(port, host))) return false
  return true
}

const canListen = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })

/** Throws, naming the variable, if a port is taken; waits `deadlineMs` for a program that is just ending. */
export async function claimPorts(ports: Readonly<Record<string, number>>, deadlineMs: number): Promise<void> {
  for (const [variable, port] of Object.entries(ports))
    for (const deadline = Date.now() + deadlineMs; !(await isPortFree(port)); await Bun.sleep(50))
      if (Date.now() >= deadline)
        throw new StartProblem(
          `${variable} ${port} is taken by another program: stop that one, or set ${variable} to a free port.`,
        )
}
