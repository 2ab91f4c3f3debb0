export type RpcCall = { id: unknown; method: string; params: unknown[] }

/** An endpoint of our own, for batches too; `answer` throws a plain object to answer an error, `first` may answer a whole request. */
export function serveRpc(
  answer: (call: RpcCall, path: string) => unknown,
  first: (body: RpcCall | RpcCall[], text: string) => unknown = () => undefined,
) {
  const one = async (call: RpcCall, path: string) => {
    const told = { jsonrpc: '2.0', id: call.id }
    try {
      return { ...told, result: await answer(call, path) }
    } catch (thrown) {
      // The node itself cannot be asked: no answer of its own.
      if (thrown instanceof Error) throw thrown
      return { ...told, error: thrown }
    }
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: async (request) => {
      const text = await request.text()
      const body = JSON.parse(text) as RpcCall | RpcCall[]
      const told = await first(body, text)
      if (told instanceof Response) return told
      const path = new URL(request.url).pathname
      const reply = Array.isArray(body)
        ? await Promise.all(body.map((call) => one(call, path)))
        : await one(body, path)
      return Response.json(reply)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: async () => void (await server.stop(true)) }
}

export const json = { headers: { 'content-type': 'application/json' } }
export const post = (url: string, body: string) => fetch(url, { method: 'POST', ...json, body })

/** What the node answers; throws the error that it answers. */
export async function passOn(upstream: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await post(upstream, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown }
  if (error) throw error
  return result
}

export type HookRpc = ReturnType<typeof hookRpc>

/** A proxy whose answers a test changes one by one; throw to answer an error. */
export function hookRpc(upstream: string) {
  const hook = (_: RpcCall, result: unknown): unknown => result
  const asked: string[] = []
  const held = { hook, asked }
  const server = serveRpc(async (call) => {
    asked.push(call.method)
    return held.hook(call, await passOn(upstream, call.method, call.params))
  })
  return Object.assign(held, server)
}
