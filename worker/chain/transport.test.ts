import { expect, onTestFinished, test } from 'vitest'
import { connectRpc } from './transport.ts'

const maxBytes = 1_000_000
const yes = '{"result":true}'
const large = Buffer.alloc(5 * maxBytes, 'a')
const packed = Bun.gzipSync(Buffer.from(JSON.stringify('a'.repeat(50 * maxBytes))))
const pieces = [`${large.length.toString(16)}\r\n`, large, '\r\n0\r\n\r\n']

/** A server that writes these bytes, and what the client makes of them. */
async function ask(head: string, ...body: (string | Uint8Array)[]): Promise<unknown> {
  const bytes = Buffer.concat(
    [`HTTP/1.1 ${head}\r\n\r\n`, ...body].map((part) => Buffer.from(part as string)),
  )
  let at = 0
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: write, drain: write },
  })
  onTestFinished(() => server.stop(true))
  function write(socket: Bun.Socket): void {
    at += socket.write(bytes.subarray(at))
    if (at >= bytes.length) socket.end()
  }
  const rpc = connectRpc(`http://127.0.0.1:${server.port}/`)
  const sent = rpc.one({ method: 'eth_chainId', params: [] }, { maxBytes, timeoutMs: 20_000 })
  return sent.catch((error) => error.message)
}

test.each<[string, string, (string | Uint8Array)[], unknown]>([
  ['a length that is told', '200 OK\r\ncontent-length: 15', [yes], true],
  ['no length', '200 OK', [yes], true],
  ['pieces', '200 OK\r\ntransfer-encoding: chunked', [`f\r\n${yes}\r\n0\r\n\r\n`], true],
  ['too large a length', `200 OK\r\ncontent-length: ${large.length}`, [large], 'too-large'],
  ['too much without a length', '200 OK', [large], 'too-large'],
  [
    'a small length and large pieces',
    '200 OK\r\ncontent-length: 4\r\ntransfer-encoding: chunked',
    pieces,
    'too-large',
  ],
  [
    'large pieces and a small length',
    '200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 4',
    pieces,
    'too-large',
  ],
  [
    'a small length of what is packed',
    `200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}`,
    [packed],
    'too-large',
  ],
  ['more than the length that is told', '200 OK\r\ncontent-length: 4', [large], 'body'],
  ['less than it', '200 OK\r\ncontent-length: 40', [yes], 'network'],
  ['what is no JSON', '200 OK\r\ncontent-length: 4', ['nope'], 'body'],
  ['the page of a proxy', '400 Bad Request\r\ncontent-length: 4', ['nope'], 'http 400'],
  ['an error that is none of JSON-RPC', '400 Bad Request\r\ncontent-length: 2', ['{}'], 'http 400'],
])('%s', async (_, head, body, answer) => {
  expect(await ask(head, ...body)).toEqual(answer)
})

test('an endpoint that sends us elsewhere is not followed: another host would speak in its name', async () => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: { '/other': Response.json({ result: true }) },
    fetch: () => new Response(null, { status: 307, headers: { location: '/other' } }),
  })
  onTestFinished(() => server.stop(true))
  const call = { method: 'eth_chainId', params: [] }
  await expect(connectRpc(`${server.url}`).one(call)).rejects.toMatchObject({ kind: 'network' })
})

test('a login in the URL is sent as a header, and stands in no message', async () => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ headers, url }) => Response.json({ result: [headers.get('authorization'), url] }),
  })
  const limits = { maxBytes, timeoutMs: 20_000 }
  const call = { method: 'eth_chainId', params: [] }
  const { one: send } = connectRpc(`http://key:se%40cret@127.0.0.1:${server.port}/path`)
  const told = [`Basic ${btoa('key:se@cret')}`, `http://127.0.0.1:${server.port}/path`]
  expect(await send(call, limits)).toEqual(told)
  await server.stop(true)
  expect(String(await send(call, limits).catch((error) => error))).not.toMatch(/cret|key/)
})
