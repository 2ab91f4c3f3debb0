import { createServer } from 'node:net'
import { StartProblem } from './problem.ts'

/** A free port of the loopback address. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** False when somebody listens there, on all addresses or on the loopback one alone. */
async function isPortFree(port: number): Promise<boolean> {
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
export async function claimPorts(ports: Readonly<Record<string, number>>, deadlineMs = 0): Promise<void> {
  const used = new Map<number, string>()
  for (const [variable, port] of Object.entries(ports)) {
    const other = used.get(port)
    if (other)
      throw new StartProblem(`${variable} and ${other} are both ${port}: give one of them another port.`)
    used.set(port, variable)
    for (const deadline = Date.now() + deadlineMs; !(await isPortFree(port)); await Bun.sleep(50))
      if (Date.now() >= deadline)
        throw new StartProblem(
          `${variable} ${port} is taken by another program: stop that one, or set ${variable} to a free port.`,
        )
  }
}
