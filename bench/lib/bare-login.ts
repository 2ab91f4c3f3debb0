/** The floor of the login bench: a bare server that reads each request and refuses it a moment later. */
const momentMs = 300
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: { '/api/raffle/config': () => Response.json({}) },
  async fetch(request) {
    await request.text()
    await Bun.sleep(momentMs)
    return Response.json({}, { status: 429 })
  },
})
console.log(JSON.stringify({ port: server.port }))
