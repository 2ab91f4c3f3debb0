import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'

async function* bytesOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('text is parted at line feeds alone, however it comes in pieces', async () => {
  const text = 'one\u2028still one\u2029 and 둘\n\ntwo\r\nlast'
  for (const size of [1, 2, 5, 100]) {
    const lines: string[] = []
    for await (const line of linesOf(bytesOf(text, size))) lines.push(line)
    expect(lines).toEqual(['one\u2028still one\u2029 and 둘', '', 'two\r', 'last'])
  }
})
