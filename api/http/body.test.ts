import { describe, expect, test } from 'vitest'
import { readJson, readObject } from './body.ts'

const send = (body: BodyInit | null, type = 'application/json') =>
  new Request('http://localhost/', { method: 'POST', body, headers: { 'content-type': type } })

describe('a body', () => {
  test.each([
    ['an object', '{"a":1}', { a: 1 }],
    ['a list', '[1,"x",null]', [1, 'x', null]],
    ['16 levels', `${'['.repeat(16)}${']'.repeat(16)}`, expect.any(Array)],
    ['exactly 16 KiB', `"${'a'.repeat(16_382)}"`, 'a'.repeat(16_382)],
  ])('that is %s is read', async (_, text, value) => {
    expect(await readJson(send(text))).toEqual(value)
  })

  test.each(['application/json; charset=utf-8', 'Application/JSON', ' application/json '])(
    'may say "%s"',
    async (type) => {
      expect(await readJson(send('{}', type))).toEqual({})
    },
  )

  test.each([
    ['cut', '{"a":'],
    ['empty', ''],
    ['missing', null],
    ['blank', '   '],
    ['not JSON', 'a=1'],
    ['two values', '{}{}'],
    ['NUL', '\0'],
    ['bad UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
    ['a surrogate written as UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['nested too deep', `${'['.repeat(17)}${']'.repeat(17)}`],
    ['nested as deep as fits', '['.repeat(8_000) + ']'.repeat(8_000)],
  ])('that is %s is BAD_JSON', async (_, body) => {
    await expect(readJson(send(body as BodyInit))).rejects.toMatchObject({ code: 'BAD_JSON' })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
    'application/jsonp',
    'json',
  ])('of type "%s" is not taken', async (type) => {
    await expect(readJson(send('{}', type))).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  test.each([`"${'a'.repeat(16_383)}"`, 'x'.repeat(1_000_000)])('over 16 KiB is too large', async (text) => {
    await expect(readJson(send(text))).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' })
  })

  test('L3: that comes too slowly is given up without another answer', async () => {
    const cancelled = Promise.withResolvers<void>()
    const drip = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
      cancel: () => cancelled.resolve(),
    })
    const request = new Request('http://localhost/', {
      method: 'POST',
      body: drip,
      headers: { 'content-type': 'application/json' },
      duplex: 'half',
    } as RequestInit)
    await expect(readJson(request, 30)).rejects.toMatchObject({ code: 'BODY_TIMEOUT' })
    await cancelled.promise
  })

  test.each(['null', '[]', '"x"', '1', 'true'])('%s is not an object', async (text) => {
    await expect(readObject(send(text))).rejects.toMatchObject({ code: 'INVALID_VALUE' })
  })
})
