import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renew } from './renew.ts'

let served: string
let root: { dataset: Record<string, string> }

/** A page that says nothing but which event it tells of. */
const pageOf = (mark: string) => {
  const [number, content] = mark.split(',')
  return {
    title: mark,
    querySelector: (name: string) => ({ content: name.includes('event-number') ? number : content }),
    querySelectorAll: () => [],
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  root = { dataset: {} }
  served = '1,0xaa'
  vi.stubGlobal('document', { ...pageOf(served), documentElement: root, dispatchEvent: () => true })
  vi.stubGlobal('location', { origin: 'https://raffle.example', pathname: '/' })
  vi.stubGlobal('fetch', async () => new Response(served))
  vi.stubGlobal(
    'DOMParser',
    class {
      parseFromString = (text: string) => pageOf(`${text}`)
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the prize of the event before stays hidden for as long as its page is the one that is published', async () => {
  const renewing = renew('2,0xbb')
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect([root.dataset, document.title]).toEqual([{ renewing: '' }, '1,0xaa'])
  served = '2,0xbb'
  await vi.advanceTimersByTimeAsync(60_000)
  await renewing
  expect([root.dataset, document.title]).toEqual([{}, '2,0xbb'])
})

test('of two events that begin one after the other the last one is shown', async () => {
  const renewing = [renew('2,0xbb'), renew('3,0xcc')]
  await vi.advanceTimersByTimeAsync(60_000)
  served = '2,0xbb'
  await vi.advanceTimersByTimeAsync(60_000)
  expect([root.dataset, document.title]).toEqual([{ renewing: '' }, '1,0xaa'])
  served = '3,0xcc'
  await vi.advanceTimersByTimeAsync(60_000)
  await Promise.all(renewing)
  expect([root.dataset, document.title]).toEqual([{}, '3,0xcc'])
})

test('a path that reads like another host asks nobody else: what a stranger answers is no page of ours', async () => {
  const { origin } = location
  vi.stubGlobal('location', { origin, pathname: '//stranger.example/..%2f' })
  const asked: [string, RequestMode | undefined][] = []
  vi.stubGlobal('fetch', async (path: string, { mode }: RequestInit) => {
    const url = new URL(path, `${origin}//stranger.example/..%2f`)
    asked.push([url.origin, mode])
    return new Response('2,0xbb')
  })
  await renew('2,0xbb')
  // No redirect leads elsewhere either.
  expect(asked).toEqual([[origin, 'same-origin']])
})
