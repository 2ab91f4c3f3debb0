/** The floor: a bare Bun.serve function that sends given bytes, or 304 by their ETag: `bun bench/lib/bare-http.ts <url to copy>`. */
const copied = await fetch(process.argv[2] ?? '')
const body = new Uint8Array(await copied.arrayBuffer())
copied.headers.delete('date')
copied.headers.delete('content-length')
const etag = copied.headers.get('etag') ?? ''
const headers = Object.fromEntries(copied.headers)
const isKnown = process.argv[3] === 'etag'
const plain = () => new Response(body, { headers })
const fetched = (request: Request) =>
  request.headers.get('if-none-match') === etag ? new Response(null, { status: 304, headers }) : plain()
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 30,
  fetch: isKnown ? fetched : plain,
})
console.log(JSON.stringify({ port: server.port }))

export {}
