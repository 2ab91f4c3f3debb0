import { expect, test } from 'vitest'
import { readText } from './download.ts'

test('a download whose end is told is read, and one above the limit is not', async () => {
  const inPieces = () =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull: (stream) => {
          stream.enqueue(new TextEncoder().encode('a'))
          stream.close()
        },
      }),
    )
  expect(await readText(inPieces(), 9)).toBe('a')
  await expect(readText(inPieces(), 0)).rejects.toThrow('It is larger than')
})
