import { expect, test } from 'vitest'
import { addressKeys } from '../../core/address-list.ts'
import { pacedDownloads } from './paced-downloads.ts'

/** A ledger of so many pages; `isOver` tells whether its reading has ended. */
function ledger(pages: number) {
  const state = { isOver: false }
  async function* read() {
    try {
      for (let page = 0; page < pages; page++) yield { text: `${page}\n` }
    } finally {
      state.isOver = true
    }
  }
  return { read: read(), state }
}
const text = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()
const busy = expect.objectContaining({ code: 'EXPORT_BUSY' })

test('an address has two downloads at once, and a third when one has ended or was left', async () => {
  const download = pacedDownloads()
  const own = addressKeys('203.0.113.1')
  const [first, second] = [download(own, ledger(3).read), download(own, ledger(3).read)]
  expect(() => download(own, ledger(3).read)).toThrow(busy)
  expect(await text(download(addressKeys('203.0.113.2'), ledger(3).read))).toBe('0\n1\n2\n')
  expect(await text(first)).toBe('0\n1\n2\n')
  const third = download(own, ledger(3).read)
  expect(() => download(own, ledger(3).read)).toThrow(busy)
  await second.cancel()
  await third.cancel()
  expect(await text(download(own, ledger(1).read))).toBe('0\n')
})

test('readers who do not read hold up nobody, and a reader who leaves ends the reading', async () => {
  const download = pacedDownloads()
  const left = ledger(9)
  const slow = Array.from({ length: 20 }, (_, n) => download(addressKeys(`10.0.0.${n}`), ledger(9).read))
  const leaving = download(addressKeys('10.0.1.1'), left.read).getReader()
  await leaving.read()
  await leaving.cancel()
  expect(left.state.isOver).toBe(true)
  expect(await text(download(addressKeys('10.0.1.2'), ledger(2).read))).toBe('0\n1\n')
  await Promise.all(slow.map((stream) => stream.cancel()))
})
