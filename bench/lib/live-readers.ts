import { parseArgs } from 'node:util'

/**
 * Readers of a stream, on core 1: opens `count` of them one by one, or all at once, and prints when each has received the
 * next change. `bun bench/lib/live-readers.ts <port> <path> <count> [--at-once] [--first number]`;
 * several of these are given the number of their first reader, so that their visitors differ. A line on its input arms it
 * for one change.
 */
const { positionals, values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    'at-once': { type: 'boolean' },
    first: { type: 'string', default: '0' },
  },
})
const [port = '', path = '/', count = '1'] = positionals
const readers = Number(count)
const perVisitor = 20
const marker = Buffer.from('event: change')
let connected = 0
let refused = 0
let heardAt: number[] = []
let closed = 0
const all = Promise.withResolvers<void>()
let done = Promise.withResolvers<void>()

const began = performance.now()
for (let index = 0; index < readers; index++) {
  const visitor = Math.floor((Number(values.first) + index) / perVisitor)
  const ask = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}\r\n\r\n`
  let isOpen = false
  const answered = (isStream: boolean) => {
    isOpen = true
    if (!isStream) refused++
    if (++connected === readers) all.resolve()
  }
  const connecting = Bun.connect({
    hostname: '127.0.0.1',
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(ask),
      data(_, chunk) {
        if (!isOpen) answered(chunk.includes('HTTP/1.1 200'))
        if (chunk.includes(marker)) {
          heardAt.push(performance.timeOrigin + performance.now())
          if (heardAt.length === readers) done.resolve()
        }
      },
      close() {
        closed++
        if (!isOpen) answered(false)
      },
    },
  })
  if (values['at-once']) connecting.catch(stop)
  else await connecting
}
await all.promise
const connectsPerSecond = Math.round(readers / ((performance.now() - began) / 1000))
console.log(JSON.stringify({ connectsPerSecond, refused }))

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
      heardAt: sorted,
    }),
  )
}

process.exit(0)

function stop(error: unknown): never {
  console.error(error)
  process.exit(1)
}
