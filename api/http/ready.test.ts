import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type OpenApi, openApi } from '../../e2e/lab/api.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { until } from '../../e2e/lab/until.ts'
import { answerReady, ready } from './ready.ts'

const api: OpenApi = await forFile(openApi())
const { url } = api.listen()
const text = 'tickets and prizes '.repeat(100)
const asked = (accepted?: string) =>
  new Request('http://localhost/', { headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })

test('a text is compressed once, and sent as the caller takes it', async () => {
  const [packed, short] = [ready(text, {}, '"a"'), ready('fits into one packet')]
  expect(answerReady(asked('br'), packed).headers.get('content-encoding')).toBeNull()
  await until(() => packed.br, 'it is compressed')
  expect(short.br).toBeUndefined()
  const sent = async (accepted?: string) => {
    const answer = answerReady(asked(accepted), packed)
    expect(answer.headers.get('etag')).toBe('"a"')
    return [answer.headers.get('content-encoding'), new Uint8Array(await answer.arrayBuffer())] as const
  }
  const [small, common, plain] = [await sent('gzip, deflate, br, zstd'), await sent('gzip'), await sent()]
  expect([small[0], brotliDecompressSync(small[1]).toString()]).toEqual(['br', text])
  expect([common[0], gunzipSync(common[1]).toString()]).toEqual(['gzip', text])
  expect([plain[0], new TextDecoder().decode(plain[1])]).toEqual([null, text])
  expect((await sent('br;q=0, gzip; q=0.5'))[0]).toBe('gzip')
  expect((await sent('brotli, x-gzip, identity'))[0]).toBeNull()
})

test.each(['/api/raffle/config', '/api/openapi.json'])(
  '%s: caches keep one of each encoding, under one ETag',
  async (path) => {
    const ask = (headers: Record<string, string>) =>
      fetch(url + path, { headers, decompress: false } as RequestInit)
    const first = await ask({ 'accept-encoding': 'identity' })
    const etag = first.headers.get('etag') as string
    const plain = await first.text()
    await until(
      async () => (await ask({ 'accept-encoding': 'br' })).headers.has('content-encoding'),
      'it is small',
    )
    const small = await ask({ 'accept-encoding': 'br' })
    expect(small.headers.get('etag')).toBe(etag)
    expect(brotliDecompressSync(await small.arrayBuffer()).toString()).toBe(plain)
    const known = await ask({ 'accept-encoding': 'br', 'if-none-match': etag })
    expect(known.status).toBe(304)
    for (const answer of [first, small, known])
      expect(answer.headers.get('vary')).toContain('Accept-Encoding')
  },
)
