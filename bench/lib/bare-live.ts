/**
 * The floor of the live bench: a bare ReadableStream broadcaster. Each input line is a number of bytes; it
 * broadcasts one change event of that size.
 */
const streams = new Set<ReadableStreamDefaultController<Uint8Array>>()
const encoder = new TextEncoder()
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch({ url }) {
    if (url.endsWith('/api/ready')) return new Response()
    let own: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller
        streams.add(controller)
        controller.enqueue(encoder.encode(': hello\n\n'))
      },
      cancel: () => void streams.delete(own),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  },
})
console.log(JSON.stringify({ port: server.port }))

for await (const line of console) {
  const head = 'event: change\ndata: '
  const bytes = encoder.encode(`${head}${'x'.repeat(Math.max(0, Number(line) - head.length - 2))}\n\n`)
  for (const stream of streams) stream.enqueue(bytes)
}

export {}
