import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import type { Notice } from '../../core/notify/kinds.ts'
import { handClock } from '../../e2e/lab/hand-clock.ts'
import { forFile, forTest } from '../../e2e/lab/opened.ts'
import { makeCertificate, startMailServer, startReceiver } from '../../e2e/lab/receivers.ts'
import { patient } from '../../e2e/lab/test-time.ts'
import { messageOf, NotReceived, type Reach, sendEmail, sendWebhook } from './send.ts'

const tls = makeCertificate(['hook.example', 'mail.example'])
const receiver = await forFile(startReceiver(tls))
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const notice: Notice = {
  ...{ key: '6d2c4c4e-4d0c-4d2b-8f4c-0f7d5a0a1b2c', kind: 'drawn', eventNumber: 4 },
  facts: { winningTicket: '17', ticketsSold: '250' },
  at: new Date('2026-11-23T10:00:00Z'),
}
const message = messageOf(notice, 'en', 'https://raffle.example')
/** This machine under a name of the internet. */
const here: Reach = { isLocal: true, ca: tls.cert, resolve: async () => ['127.0.0.1'], clock: patient }
const url = (path = '/hook', host = 'hook.example') => `https://${host}:${receiver.port}${path}`
const hook = (reach: Partial<Reach> = {}, to = url()) =>
  sendWebhook({ url: to, signingKey: secret }, message, { ...here, ...reach })
/** The code of the failure. */
const problemOf = async (sending: Promise<void>) =>
  sending.then(
    () => 'received',
    (error) => (error instanceof NotReceived ? error.problem : error),
  )
const answering = (answer: typeof receiver.answer) => {
  receiver.received.length = 0
  receiver.answer = answer
}

test('a webhook is signed so that the scheme’s own library accepts it, and says what has happened', async () => {
  answering((_, response) => response.writeHead(204).end())
  await hook({}, url('/hook?of=mine'))
  const [got] = receiver.received
  expect(got).toMatchObject({
    path: '/hook?of=mine',
    host: `hook.example:${receiver.port}`,
    headers: { 'webhook-id': notice.key, 'content-type': 'application/json' },
  })
  expect(new Webhook(secret).verify(got?.body ?? '', got?.headers ?? {})).toEqual({
    // A bot of Telegram reads this alone; the chat is in its address.
    text: 'Event 4: drawn\nTicket 17 of 250 has won.\nhttps://raffle.example/admin',
    type: 'drawn',
    timestamp: '2026-11-23T10:00:00.000Z',
    data: { eventNumber: 4, ...notice.facts },
  })
  expect(() => new Webhook(secret).verify(`${got?.body} `, got?.headers ?? {})).toThrow()
})

test.each([
  [301, 'redirect'],
  [307, 'redirect'],
  [401, 'not_allowed'],
  [410, 'status_4xx'],
  [500, 'status_5xx'],
])('an answer of %i is not taken for received', async (status, problem) => {
  answering((_, response) => response.writeHead(status, { location: url('/elsewhere') }).end())
  expect(await problemOf(hook())).toBe(problem)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
})

test.each([
  [
    400,
    {
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: -1001 },
    },
    ['chat_moved', 0],
  ],
  [
    429,
    { description: 'Too Many Requests: retry after 35', parameters: { retry_after: 35 } },
    ['throttled', 35_000],
  ],
  [403, { description: 'Forbidden: bot was kicked from the group chat' }, ['not_allowed', 0]],
])('what Telegram says with %i leads to the cure', async (status, said, told) => {
  answering((_, response) =>
    response.writeHead(status).end(JSON.stringify({ ok: false, error_code: status, ...said })),
  )
  const error = await hook().catch((caught) => caught)
  expect([error.problem, error.waitMs]).toEqual(told)
})

test('an answer that never ends is not read to its end', async () => {
  let bytes = 0
  answering((_, response) => {
    response.writeHead(200)
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536))) bytes += 65_536
    }
    response.on('drain', pour)
    response.on('error', () => undefined)
    pour()
  })
  expect(await problemOf(hook())).toBe('received')
  expect(bytes).toBeLessThan(64 * 1024 * 1024)
})

test('a receiver that does not answer is given up after the deadline, and so is a name server', async () => {
  answering(() => undefined)
  const clock = handClock()
  const silent = problemOf(hook({ clock }))
  await expect.poll(() => receiver.received.length).toBe(1)
  clock.advance(5_000)
  expect(await silent).toBe('timeout')
  const nameless = problemOf(hook({ clock, resolve: () => new Promise(() => undefined) }))
  clock.advance(5_000)
  expect(await nameless).toBe('timeout')
})

test.each([
  '127.0.0.1',
  '10.0.0.7',
  '169.254.169.254',
  '100.64.1.1',
  '224.0.0.5',
  '::1',
  'fd00::1',
  '::ffff:10.0.0.7',
])('outside local mode a name that resolves to %s is refused before anything is sent', async (address) => {
  answering((_, response) => response.end())
  expect(await problemOf(hook({ isLocal: false, resolve: async () => [address] }))).toBe('private_address')
  expect(receiver.received).toEqual([])
})

test.each([
  'https://127.0.0.1/x',
  'https://0x7f.1/x',
  'https://[::1]/x',
  'https://[::ffff:10.0.0.1]/',
  'https://2130706433/',
])('outside local mode the address %s is refused, however it is written', async (to) => {
  const resolve = () => Promise.reject(new Error('an address is not looked up'))
  expect(await problemOf(hook({ isLocal: false, resolve }, to))).toBe('private_address')
})

test('a name is resolved once, and that address is connected to', async () => {
  answering((_, response) => response.end())
  const asked: string[] = []
  // A second look would be told another address: nothing else than the first answer counts.
  const resolve = async (name: string) => {
    asked.push(name)
    return [asked.length === 1 ? '127.0.0.1' : '203.0.113.1']
  }
  await hook({ resolve })
  expect([asked, receiver.received.length]).toEqual([['hook.example'], 1])
})

test('a name with one address of a private network is refused, however many others it has', async () => {
  answering((_, response) => response.end())
  const resolve = async () => ['203.0.113.1', '8.8.8.8', '10.0.0.7']
  expect(await problemOf(hook({ isLocal: false, resolve }))).toBe('private_address')
  const to = mailTo(receiver.port)
  expect(
    await problemOf(sendEmail(to, { password: 'mail pass' }, message, { ...here, isLocal: false, resolve })),
  ).toBe('private_address')
})

test('of several addresses an IPv4 one is chosen', async () => {
  answering((_, response) => response.end())
  await hook({ resolve: async () => ['2001:db8::1', '127.0.0.1'] })
  expect(receiver.received).toHaveLength(1)
})

test('a certificate of another name, or that nobody vouches for, is refused', async () => {
  answering((_, response) => response.end())
  expect(await problemOf(hook({}, url('/', 'other.example')))).toBe('tls')
  const { ca: _, ...strict } = here
  expect(await problemOf(sendWebhook({ url: url() }, message, strict))).toBe('tls')
  expect(receiver.received).toEqual([])
})

test('nothing but https is sent, and a machine that refuses is told from a name that nobody knows', async () => {
  expect(await problemOf(hook({}, `http://hook.example:${receiver.port}/`))).toBe('failed')
  expect(await problemOf(hook({}, 'https://hook.example:1/'))).toBe('unreachable')
  expect(await problemOf(hook({ resolve: () => Promise.reject(new Error('no such name')) }))).toBe(
    'unreachable',
  )
})

const mailTo = (port: number, more: Partial<Parameters<typeof sendEmail>[0]> = {}) => ({
  ...{ host: 'mail.example', port, security: 'starttls' as const, user: 'raffle' },
  ...{ from: 'raffle@raffle.example', to: ['owner@example.org', 'second@example.org'], ...more },
})
test.each([
  ['starttls', {}],
  ['tls', { secure: true }],
] as const)(
  'mail goes by %s, with a login, under an id that is the same in every try',
  async (security, options) => {
    const server = await forTest(startMailServer({ ...tls, ...options }))
    await sendEmail(mailTo(server.port, { security }), { password: 'mail pass' }, message, here)
    const [got] = server.mails
    expect(got).toMatchObject({
      from: 'raffle@raffle.example',
      to: ['owner@example.org', 'second@example.org'],
      ...{ isSecure: true, user: 'raffle' },
    })
    expect(got?.text).toContain(`Message-ID: <${notice.key}@raffle.example>`)
    expect(got?.text).toContain('Subject: Event 4: drawn')
    expect(got?.text).toContain('https://raffle.example/admin')
  },
)

test('mail is refused where it would go in the clear, and a password only goes to a server with its name', async () => {
  const server = await forTest(startMailServer({ disabledCommands: ['STARTTLS'], authOptional: true }))
  expect(await problemOf(sendEmail(mailTo(server.port), { password: 'mail pass' }, message, here))).toBe(
    'tls',
  )
  const named = await forTest(startMailServer({ ...tls, secure: true }))
  const other = mailTo(named.port, { host: 'other.example', security: 'tls' })
  expect(await problemOf(sendEmail(other, { password: 'mail pass' }, message, here))).toBe('tls')
  expect([server.mails, named.mails]).toEqual([[], []])
})

test('a wrong password, an unknown recipient, a silent server and one that is gone are told apart', async () => {
  const server = await forTest(startMailServer(tls))
  expect(await problemOf(sendEmail(mailTo(server.port), { password: 'wrong' }, message, here))).toBe(
    'login_refused',
  )
  const unknown = mailTo(server.port, { to: ['nobody@example.org'] })
  expect(await problemOf(sendEmail(unknown, { password: 'mail pass' }, message, here))).toBe(
    'recipient_refused',
  )
  expect(await problemOf(sendEmail(mailTo(1), { password: 'mail pass' }, message, here))).toBe('unreachable')
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  const clock = handClock()
  const sending = problemOf(sendEmail(mailTo(silent.port), {}, message, { ...here, clock }))
  clock.advance(15_000)
  expect(await sending).toBe('timeout')
  silent.stop(true)
})

test.each([
  ['https://raffle.example/admin', 'raffle.example'],
  ['http://localhost:4321/admin', 'from.example'],
  [undefined, 'from.example'],
])(
  'a relay is greeted with a name of the internet; one that hangs up at the greeting is named (%s)',
  async (link, name) => {
    const greetings: string[] = []
    const relay = Bun.listen({
      ...{ hostname: '127.0.0.1', port: 0 },
      socket: {
        open: (socket) => void socket.write('220 strict\r\n'),
        data: (socket, bytes) => {
          greetings.push(`${bytes}`.trim())
          socket.end('421 4.7.0 Try again later, closing connection.\r\n')
        },
      },
    })
    await forTest({ close: async () => relay.stop(true) })
    const to = mailTo(relay.port, { user: null, from: 'raffle@from.example' })
    expect(await problemOf(sendEmail(to, {}, { ...message, link }, here))).toBe('greeting_refused')
    expect(greetings).toEqual([`EHLO ${name}`])
  },
)

test('a mail server that talks without end is hung up on at the deadline, and a name server is not waited for', async () => {
  const [begun, hungUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isTalking = true
  const talker = Bun.listen({
    ...{ hostname: '127.0.0.1', port: 0 },
    socket: {
      open: (socket) => {
        isTalking = true
        socket.write('220 here\r\n')
        const talk = () => {
          if (!isTalking) return
          socket.write('250-and so on\r\n')
          setImmediate(talk)
        }
        talk()
        begun.resolve()
      },
      data: () => undefined,
      close: () => {
        isTalking = false
        hungUp.resolve()
      },
    },
  })
  await forTest({ close: async () => talker.stop(true) })
  const plain = mailTo(talker.port, { user: null })
  const clock = handClock()
  const sending = problemOf(sendEmail(plain, {}, message, { ...here, clock }))
  await begun.promise
  clock.advance(15_000)
  expect(await sending).toBe('timeout')
  await hungUp.promise
  const resolve = () => new Promise<string[]>(() => undefined)
  const nameless = problemOf(sendEmail(plain, {}, message, { ...here, resolve, clock }))
  clock.advance(15_000)
  expect(await nameless).toBe('timeout')
})
