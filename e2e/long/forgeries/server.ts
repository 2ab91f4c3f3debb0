import { rpc } from '../../../infra/local/rpc.ts'

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>
/** What an endpoint tells instead of the chain's answer, which `ask` gives. Throws where it refuses. */
export type Lie = (method: string, params: readonly unknown[], ask: Ask) => unknown

/** Endpoints before one chain, each with a path and a lie of its own. */
export function serveLies(chain: string) {
  const lies = new Map<string, Lie>()
  const known = new Map<string, Promise<unknown>>()
  const ask: Ask = (method, params) => {
    const key = JSON.stringify([method, params])
    const answer = known.get(key) ?? rpc(chain, method, params)
    known.set(key, answer)
    return answer
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { id, method, params } = (await request.json()) as { id: number; method: string; params: [] }
      const lie = lies.get(new URL(request.url).pathname)
      try {
        const result = (await (lie ? lie(method, params, ask) : ask(method, params))) ?? null
        return Response.json({ jsonrpc: '2.0', id, result })
      } catch (error) {
        return Response.json({ jsonrpc: '2.0', id, error: { code: -32000, message: `${error}` } })
      }
    },
  })
  return {
    url: (lie?: Lie): string => {
      const path = `/${lies.size}`
      if (lie) lies.set(path, lie)
      return `http://127.0.0.1:${server.port}${lie ? path : '/'}`
    },
    stop: () => server.stop(true),
  }
}
