import { expect, test } from 'vitest'
import { readAll, readText } from './download.ts'

/** Enough for what comes, however busy the machine is. */
const patient = { pieceMs: 60_000, totalMs: 60_000 }
/** Over before a piece that never comes. */
const impatient = { pieceMs: 5, totalMs: 60_000 }
const bytes = new TextEncoder().encode('a')
/** A body that sends one piece at once, and then as told. */
const body = (then: (stream: ReadableStreamDefaultController<Uint8Array>) => unknown) => {
  let pieces = 0
  return new ReadableStream<Uint8Array>({
    pull: (stream) => {
      pieces += 1
      return pieces === 1 ? stream.enqueue(bytes) : (then(stream) as undefined)
    },
  })
}
const silent = () => new Promise(() => undefined)

test('a download that stands still ends with an error', async () => {
  await expect(readText(new Response(body(silent)), 9, impatient)).rejects.toThrow('It took too long.')
  await expect(Array.fromAsync(readAll(body(silent), 9, impatient))).rejects.toThrow('It took too long.')
})

test('a download that comes in drops without an end ends with an error', async () => {
  const drops = body(async (stream) => {
    await new Promise((go) => setImmediate(go))
    stream.enqueue(bytes)
  })
  const all = readAll(drops, Number.POSITIVE_INFINITY, { ...patient, totalMs: 5 })
  await expect(Array.fromAsync(all)).rejects.toThrow('It took too long.')
})

test('a download whose end is told is read, and one above the limit is not', async () => {
  const whole = () => body((stream) => stream.close())
  expect(await readText(new Response(whole()), 9, patient)).toBe('a')
  await expect(readText(new Response(whole()), 0, patient)).rejects.toThrow('It is larger than')
})
