import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** What came in: a request with its body. */
export type Received = { path: string; host: string; headers: Record<string, string>; body: string }
export type Answer = (received: Received, response: ServerResponse) => void

/** A certificate for these names and this machine, which is its own authority. */
export function makeCertificate(names: readonly string[]): { key: string; cert: string } {
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-tls-'))
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')]
  const alternative = [...names.map((name) => `DNS:${name}`), 'IP:127.0.0.1'].join(',')
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const about = ['-days', '2', '-subj', '/CN=receiver', '-addext', `subjectAltName=${alternative}`]
  const made = Bun.spawnSync(['openssl', 'req', '-x509', ...curve, '-keyout', key, '-out', cert, ...about])
  if (made.exitCode !== 0) throw new Error(`openssl: ${made.stderr}`)
  const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(dir, { recursive: true, force: true })
  return pair
}

/** An https server that keeps what it gets; `answer` may be changed at any time, 200 by default. */
export async function startReceiver(tls?: { key: string; cert: string }, port = 0) {
  const received: Received[] = []
  let wake = Promise.withResolvers<void>()
  const receiver = { answer: ((_, response) => response.end('ok')) as Answer }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one: Received = {
      path: request.url ?? '',
      host: request.headers.host ?? '',
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    }
    received.push(one)
    wake.resolve()
    wake = Promise.withResolvers()
    receiver.answer(one, response)
  }
  const server = tls ? createSecureServer(tls, handle) : createServer(handle)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return Object.assign(receiver, {
    received,
    port: (server.address() as AddressInfo).port,
    /** Resolves with the next request, or at once if there are already as many. */
    until: async (count: number): Promise<void> => {
      while (received.length < count) await wake.promise
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

export type Mail = { from: string; to: string[]; text: string; isSecure: boolean; user: string | undefined }

/** A real SMTP server; `user` may log in with `password`. */
export async function startMailServer(
  options: SMTPServerOptions,
  { user = 'raffle', password = 'mail pass', port = 0 } = {},
) {
  const mails: Mail[] = []
  const server = new SMTPServer({
    ...options,
    onAuth: (auth, _, done) =>
      auth.username === user && auth.password === password
        ? done(null, { user })
        : done(new Error('Invalid username or password')),
    onRcptTo: ({ address }, _, done) =>
      done(
        address.startsWith('nobody@')
          ? Object.assign(new Error('no such user'), { responseCode: 550 })
          : null,
      ),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
          isSecure: session.secure,
          user: session.user as string | undefined,
        })
        done(null)
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  return {
    mails,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
