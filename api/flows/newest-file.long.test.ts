import { expect, test } from 'vitest'
import type { FlowsHead } from '../../core/flows/file.ts'
import { type KnownFile, rememberNewest } from './newest-file.ts'

const file = (name: string): KnownFile => ({ head: { token: name } as unknown as FlowsHead, sha256: '0x' })
const nameOf = (known: KnownFile | undefined) => known?.head.token as string | undefined
/** A reading that ends when the test says so. */
function reading(name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<KnownFile>()
  let times = 0
  return {
    read: () => {
      times += 1
      return promise
    },
    end: () => resolve(file(name)),
    fail: () => reject(new Error('gone')),
    times: () => times,
  }
}
const at = (until: string, books = 0) => ({ until, books })

test('those who ask at once share one reading, and who asks later has it', async () => {
  const newest = rememberNewest()
  const one = reading('a')
  const asked = [1, 2, 3].map(() => newest.get(1, at('a'), one.read))
  one.end()
  expect((await Promise.all(asked)).map(nameOf)).toEqual(['a', 'a', 'a'])
  expect([nameOf(await newest.get(1, at('a'), one.read)), one.times()]).toEqual(['a', 1])
})

test('who cannot wait gets the file before; nothing while the first is read, or the books are others', async () => {
  const newest = rememberNewest(1)
  const [one, two] = [reading('a'), reading('b')]
  expect(await newest.get(1, at('a'), one.read)).toBe(undefined)
  one.end()
  expect(nameOf(await newest.get(1, at('a'), one.read))).toBe('a')
  expect(nameOf(await newest.get(1, at('b'), two.read))).toBe('a')
  expect(await newest.get(1, at('b', 1), two.read)).toBe(undefined)
  two.end()
  expect([one.times(), two.times()]).toEqual([1, 1])
})

test('a reading that failed is told to who waited, and begun again by the next', async () => {
  const newest = rememberNewest()
  const [one, two] = [reading('a'), reading('a')]
  const asked = newest.get(1, at('a'), one.read)
  one.fail()
  await expect(asked).rejects.toThrow('gone')
  two.end()
  expect(nameOf(await newest.get(1, at('a'), two.read))).toBe('a')
  newest.forget(1)
  const three = reading('c')
  three.end()
  expect(nameOf(await newest.get(1, at('a'), three.read))).toBe('c')
})
