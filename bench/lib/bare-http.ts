/**
 * The floor: a bare Bun.serve function that sends given bytes, with its headers as the manual shows it or in a
 * Headers object made once. `bun bench/lib/bare-http.ts <url to copy> <plain|made-once>`
 */
const [source = '', kind = 'plain'] = process.argv.slice(2)
const copied = await fetch(source)
const body = new Uint8Array(await copied.arrayBuffer())
copied.headers.delete('date')
copied.headers.delete('content-length')
const etag = copied.headers.get('etag') ?? ''
const plain = Object.fromEntries(copied.headers)
const madeOnce = new Headers(copied.headers)
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 30,
  fetch:
    kind === 'plain'
      ? () => new Response(body, { headers: plain })
      : kind === 'made-once'
        ? () => new Response(body, { headers: madeOnce })
        : (request) =>
            request.headers.get('if-none-match') === etag
              ? new Response(null, { status: 304, headers: plain })
              : new Response(body, { headers: plain }),
})
console.log(JSON.stringify({ port: server.port }))

export {}
