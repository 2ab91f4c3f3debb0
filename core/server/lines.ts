/**
 * Lines of UTF-8 text, parted at `\n` alone: `node:readline` parts at U+2028 and U+2029 too, which COPY and JSON leave
 * inside of a value.
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of bytes) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  rest += decoder.decode()
  if (rest) yield rest
}
