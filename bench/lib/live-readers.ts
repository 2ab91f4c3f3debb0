/**
 * Readers of a stream, on core 1: opens `count` of them and prints when each has received the next change.
 * `bun bench/lib/live-readers.ts <port> <path> <count>`; a line on its input arms it for one change.
 */
const [port = '', path = '/', count = '1'] = process.argv.slice(2)
const readers = Number(count)
const perVisitor = 10
const marker = Buffer.from('event: change')
let connected = 0
let heardAt: number[] = []
let closed = 0
const all = Promise.withResolvers<void>()
let done = Promise.withResolvers<void>()

const began = performance.now()
for (let index = 0; index < readers; index++) {
  const visitor = Math.floor(index / perVisitor)
  let isOpen = false
  await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(port),
    socket: {
      open(socket) {
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}\r\n\r\n`,
        )
      },
      data(_, chunk) {
        if (!isOpen) {
          isOpen = true
          if (++connected === readers) all.resolve()
        }
        if (chunk.includes(marker)) {
          heardAt.push(performance.timeOrigin + performance.now())
          if (heardAt.length === readers) done.resolve()
        }
      },
      close() {
        closed++
      },
    },
  })
}
await all.promise
const connectsPerSecond = Math.round(readers / ((performance.now() - began) / 1000))
console.log(JSON.stringify({ connectsPerSecond }))

for await (const _ of console) {
  heardAt = []
  done = Promise.withResolvers()
  console.log(JSON.stringify({ armed: true }))
  await Promise.race([done.promise, Bun.sleep(20_000)])
  const sorted = heardAt.sort((a, b) => a - b)
  console.log(
    JSON.stringify({
      received: sorted.length,
      closed,
      p50At: sorted[Math.floor(sorted.length * 0.5)],
      p99At: sorted[Math.floor(sorted.length * 0.99)],
    }),
  )
}

process.exit(0)

export {}
