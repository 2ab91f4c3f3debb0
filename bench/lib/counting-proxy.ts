/** Questions by method; block questions by tag apart from those by number. */
export type Counted = ReadonlyMap<string, number>

type Call = { method: string; params: readonly unknown[] }

/**
 * Passes everything on to a node and counts each question, those of a batch one by one, and the bytes of all answers,
 * uncompressed. Each answer comes at least `delayMs` after its question.
 */
export function startCountingProxy(upstream: string, { delayMs = 0 } = {}) {
  let counts = new Map<string, number>()
  let bytes = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const body = await request.text()
      const calls = [JSON.parse(body)].flat() as Call[]
      for (const call of calls) {
        const name = nameOf(call)
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
      const [text] = await Promise.all([
        fetch(upstream, asked).then((answer) => answer.text()),
        Bun.sleep(delayMs),
      ])
      bytes += Buffer.byteLength(text)
      return new Response(text, { headers: { 'content-type': 'application/json' } })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    counted: (): Counted => counts,
    bytes: () => bytes,
    reset: () => {
      counts = new Map()
      bytes = 0
    },
    stop: () => server.stop(true),
  }
}

const nameOf = ({ method, params: [at] }: Call): string =>
  method === 'eth_getBlockByNumber' && typeof at === 'string' && !at.startsWith('0x') ? at : method
