/**
 * Keeps `connections` requests in flight and prints the results.
 * `bun bench/lib/http-load.ts <url> <connections> <seconds> [header: value]`
 */
const [target = '', connections = '64', seconds = '2', header = ''] = process.argv.slice(2)
const url = new URL(target)
const request = Buffer.from(
  `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${header && `${header}\r\n`}\r\n`,
)
const latencies: number[] = []
const until = performance.now() + Number(seconds) * 1000
const began = performance.now()
let length = 0
let open = Number(connections)
const over = Promise.withResolvers<void>()

/** Every answer has the same length, so the first one shows where the others end. */
const lengthOf = (head: string): number => {
  const body = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  return head.indexOf('\r\n\r\n') + 4 + (/^HTTP\/1.1 304/.test(head) ? 0 : body)
}

for (let index = 0; index < Number(connections); index++) {
  let got = 0
  let sentAt = 0
  await Bun.connect({
    hostname: url.hostname,
    port: Number(url.port),
    socket: {
      open(socket) {
        sentAt = performance.now()
        socket.write(request)
      },
      data(socket, chunk) {
        if (length === 0) length = lengthOf(chunk.toString('latin1'))
        got += chunk.byteLength
        if (got < length) return
        got = 0
        const now = performance.now()
        latencies.push(now - sentAt)
        if (now > until) return void socket.end()
        sentAt = now
        socket.write(request)
      },
      close() {
        if (--open === 0) over.resolve()
      },
    },
  })
}
await over.promise
const sorted = Float64Array.from(latencies).sort()
const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
const rps = sorted.length / ((performance.now() - began) / 1000)
console.log(JSON.stringify({ rps, p50: at(0.5), p99: at(0.99) }))

export {}
