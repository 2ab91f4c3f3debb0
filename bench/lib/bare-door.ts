/** The floor of the door bench: a bare server that refuses every call of the administrator area from memory. */
const config = new Uint8Array(await (await fetch(process.argv[2] ?? '')).arrayBuffer())
const refusal = JSON.stringify({
  code: 'RATE_LIMITED',
  error: 'no',
  message: 'no',
  requestId: crypto.randomUUID(),
})
const headers = { 'content-type': 'application/json', 'retry-after': '4' }
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: {
    '/api/raffle/config': () => new Response(config, { headers: { 'content-type': 'application/json' } }),
  },
  fetch: () => new Response(refusal, { status: 429, headers }),
})
console.log(JSON.stringify({ port: server.port }))

export {}
