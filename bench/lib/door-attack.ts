import { randomBytes } from 'node:crypto'

/** Attackers who send as fast as they are answered: `URL KIND SECONDS OFFICE STALE`. Prints the count of each status. */
const [target = '', kind = '', seconds = '3', office = '', stale = ''] = process.argv.slice(2)
const url = new URL(target)
const group = () => Math.floor(Math.random() * 65_536).toString(16)
const some = (count: number) => Math.floor(Math.random() * count)

type Shot = { connections: number; from: () => string; token?: () => string; isLogin: () => boolean }
const login = { isLogin: () => true }
const look = { isLogin: () => false }
const mixed = { isLogin: () => Math.random() < 0.5 }
const kinds: Record<string, Shot> = {
  'one address': { connections: 3_000, from: () => '198.51.100.66', ...look },
  '750 /64s': { connections: 750, from: () => `2001:db8:${some(750).toString(16)}:1::${group()}`, ...login },
  'one /48': { connections: 750, from: () => `2001:db8:ffff:${group()}::1`, ...mixed },
  'the office': {
    connections: 200,
    from: () => office,
    token: () => randomBytes(32).toString('base64url'),
    ...mixed,
  },
  'a stale token': {
    connections: 200,
    from: () => `10.${some(99)}.${some(250)}.7`,
    token: () => stale,
    ...look,
  },
  'forged proxies': {
    connections: 200,
    from: () => `10.${some(250)}.${some(250)}.1, 127.0.0.1, 198.51.100.67`,
    ...mixed,
  },
}
const shot = kinds[kind] as Shot
const body = JSON.stringify({ username: 'admin', password: 'not the password' })

function request(): string {
  const head = `host: ${url.host}\r\nx-forwarded-for: ${shot.from()}\r\n`
  const bearer = shot.token ? `authorization: Bearer ${shot.token()}\r\n` : ''
  if (!shot.isLogin()) {
    const path = shot.token ? '/api/admin/me' : '/api/admin/check-access'
    return `GET ${path} HTTP/1.1\r\n${head}${bearer}\r\n`
  }
  const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  return `POST /api/admin/login HTTP/1.1\r\n${head}${bearer}${type}\r\n${body}`
}

const statuses: Record<string, number> = {}
const end = performance.now() + Number(seconds) * 1000

/** Opens connections again when the server ends them. */
async function attack(): Promise<void> {
  const over = Promise.withResolvers<void>()
  const again = () =>
    performance.now() < end ? setTimeout(() => void attack().then(over.resolve), 5) : over.resolve()
  try {
    await Bun.connect({
      hostname: url.hostname,
      port: Number(url.port),
      socket: {
        open: (socket) => void socket.write(request()),
        data(socket, chunk) {
          const status = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1]
          if (!status) return
          statuses[status] = (statuses[status] ?? 0) + 1
          if (performance.now() < end) socket.write(request())
          else socket.end()
        },
        close: () => void again(),
        error: () => undefined,
      },
    })
  } catch {
    again()
  }
  setTimeout(() => performance.now() >= end && over.resolve(), Math.max(0, end - performance.now()) + 500)
  await over.promise
}

await Promise.all(Array.from({ length: shot.connections }, attack))
console.log(JSON.stringify(statuses))
process.exit(0)
