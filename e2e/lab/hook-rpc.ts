type Call = { id: unknown; method: string; params: unknown[] }
export type HookRpc = {
  url: string
  hook: (call: Call, result: unknown) => unknown
  asked: string[]
  stop: () => Promise<void>
}
/** A proxy whose answers a test changes one by one; throw to answer an error. */
export function hookRpc(upstream: string): HookRpc {
  const held: HookRpc = { url: '', hook: (_, result) => result, asked: [], stop: async () => undefined }
  async function answer(call: Call) {
    held.asked.push(call.method)
    const response = await fetch(upstream, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown }
    if (error) return { jsonrpc: '2.0', id: call.id, error }
    try {
      return { jsonrpc: '2.0', id: call.id, result: await held.hook(call, result) }
    } catch (thrown) {
      return { jsonrpc: '2.0', id: call.id, error: thrown }
    }
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const body = (await request.json()) as Call | Call[]
      return Response.json(Array.isArray(body) ? await Promise.all(body.map(answer)) : await answer(body))
    },
  })
  held.url = `http://127.0.0.1:${server.port}`
  held.stop = async () => void (await server.stop(true))
  return held
}
