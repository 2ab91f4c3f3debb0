import { describe, expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { handClock } from '../../e2e/lab/hand-clock.ts'
import { forFile, forTest } from '../../e2e/lab/opened.ts'
import { startTcpProxy } from '../../e2e/lab/tcp-proxy.ts'
import { watchHalfOpen } from './half-open.ts'

const database = await forFile(testDb())
const silentMs = 20_000

async function watched() {
  const url = new URL(database.url)
  const proxy = await forTest(startTcpProxy({ port: Number(url.port) }))
  url.port = `${proxy.port}`
  const clock = handClock()
  const found = Promise.withResolvers<void>()
  await forTest(watchHalfOpen(url.href, found.resolve, clock))
  /** So many times it pauses for 2 s and is answered; nothing was found. */
  const beats = async (count: number) => {
    for (let beat = 0; beat < count; beat++) {
      clock.advance(2_000)
      await pauses()
    }
  }
  const pauses = async () => {
    await Promise.race([clock.asleep(2_000), found.promise.then(() => expect.fail('It is found.'))])
  }
  /** The older connection tells nothing for 20 s, so that a new one is asked. */
  const falls = async () => {
    clock.advance(2_000)
    await clock.asleep(silentMs)
    clock.advance(silentMs)
  }
  /** The new one that was asked is not answered in 5 s. */
  const fails = async () => {
    await clock.asleep(5_000)
    clock.advance(5_000)
    await pauses()
  }
  const failing = async (count: number) => {
    for (let beat = 0; beat < count; beat++) {
      clock.advance(2_000)
      await fails()
    }
  }
  await pauses()
  return { proxy, clock, pauses, beats, falls, fails, failing, isFound: found.promise }
}

describe('Q4: a connection of which nobody tells that it is gone', () => {
  test('is found where a new one is answered', async () => {
    const { proxy, clock, pauses, beats, falls, isFound } = await watched()
    proxy.abandon()
    await falls()
    await pauses()
    // For as long as it was silent before it may still be answered.
    await beats(9)
    clock.advance(2_000)
    await isFound
  })

  test('is not one that is slow to answer', async () => {
    const { proxy, pauses, beats, falls } = await watched()
    proxy.hold()
    await falls()
    await pauses()
    await beats(5)
    proxy.deliver()
    await beats(10)
  })

  test('is not one that was ended', async () => {
    const { proxy, beats } = await watched()
    const before = proxy.taken()
    proxy.cut()
    await beats(3)
    expect(proxy.taken()).toBe(before + 1)
  })

  test('is not one whose path comes back, is away for longer, and comes back again', async () => {
    const { proxy, pauses, beats, falls, fails, failing } = await watched()
    proxy.hold()
    proxy.set('away')
    await falls()
    await fails()
    await failing(2)
    proxy.set('none')
    await beats(3)
    proxy.set('away')
    await failing(12)
    proxy.set('none')
    await beats(3)
    proxy.deliver()
    await pauses()
    await beats(3)
  })

  test('is looked for until a new one is answered', async () => {
    const { proxy, clock, beats, falls, fails, failing, isFound } = await watched()
    proxy.abandon()
    proxy.set('silent')
    await falls()
    await fails()
    await failing(2)
    proxy.set('none')
    // It was silent for 41 s until the first of these.
    await beats(21)
    clock.advance(2_000)
    await isFound
  })
})
