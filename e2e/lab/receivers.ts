import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** What came in: a request with its body. */
export type Received = { path: string; host: string; headers: Record<string, string>; body: string }
export type Answer = (received: Received, response: ServerResponse) => void

/** Made with openssl for a hundred years, for these names and 127.0.0.1; it is its own authority. */
const certified = ['hook.example', 'mail.example', 'localhost']
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjRyi+3AkLfLNKuIy
u5S7iRgkisgUKkQo8DFddilBCFehRANCAAQrtMuFXzgor97vIsYA27OfIvOuALNO
BK+KAYlV4z2+w7svZdQIQ473RLwyw4rf6KfhTGDbwggqsFOk4FjRKnqX
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBgTCCASegAwIBAgIBATAKBggqhkjOPQQDAjATMREwDwYDVQQDDAhyZWNlaXZl
cjAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowEzERMA8GA1UEAwwI
cmVjZWl2ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQrtMuFXzgor97vIsYA
27OfIvOuALNOBK+KAYlV4z2+w7svZdQIQ473RLwyw4rf6KfhTGDbwggqsFOk4FjR
KnqXo2owaDAPBgNVHRMBAf8EBTADAQH/MDYGA1UdEQQvMC2CDGhvb2suZXhhbXBs
ZYIMbWFpbC5leGFtcGxlgglsb2NhbGhvc3SHBH8AAAEwHQYDVR0OBBYEFLRTDIuE
aarSTOWwhSEoKfz6AauIMAoGCCqGSM49BAMCA0gAMEUCIBsby4u1ydspWzgIFT9b
a+FZJMjNFce/fPYsep5tcInwAiEA6IWeYZfWt6WAEK1y+qT4gzRtuwQSpELybol9
ORWNbC4=
-----END CERTIFICATE-----`

/** The certificate of the kit, which has these names. */
export function makeCertificate(names: readonly string[]): { key: string; cert: string } {
  const others = names.filter((name) => !certified.includes(name))
  if (others.length > 0) throw new Error(`The certificate is not for ${others}.`)
  return { key, cert }
}

/** An https server that keeps what it gets; `answer` may be changed at any time, 200 by default. */
export async function startReceiver(tls: { key: string; cert: string }) {
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
  const server = createServer(tls, handle)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
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

/** A real SMTP server; `raffle` may log in with `mail pass`. */
export async function startMailServer(options: SMTPServerOptions) {
  const mails: Mail[] = []
  const server = new SMTPServer({
    ...options,
    onAuth: (auth, _, done) =>
      auth.username === 'raffle' && auth.password === 'mail pass'
        ? done(null, { user: auth.username })
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    mails,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
