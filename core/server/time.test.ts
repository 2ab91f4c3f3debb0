import { describe, expect, test } from 'vitest'
import { handClock, passingClock } from '../../e2e/lab/hand-clock.ts'
import { causesOf, pause, poll, retry, withDeadline, within } from './time.ts'

const never = new Promise<never>(() => undefined)

describe('a deadline', () => {
  test('does not change the answer or the error of work that is done in time', async () => {
    expect(await withDeadline(1_000, Promise.resolve('done'), () => 'late')).toBe('done')
    await expect(withDeadline(1_000, Promise.reject(new Error('broken')), () => 'late')).rejects.toThrow(
      'broken',
    )
  })

  test('answers or throws in place of work that is not', async () => {
    const clock = handClock()
    const answer = withDeadline(5, never, () => 'late', clock)
    const tooLate = () => {
      throw new Error('too late')
    }
    const failure = withDeadline(6, never, tooLate, clock)
    clock.advance(5)
    expect(await answer).toBe('late')
    clock.advance(1)
    await expect(failure).rejects.toThrow('too late')
  })

  test('tells work that it is late, and none that is done', async () => {
    const clock = handClock()
    const heard: string[] = []
    const work = (name: string, until: Promise<unknown>) => (late: AbortSignal) => {
      late.addEventListener('abort', () => heard.push(name))
      return until
    }
    await within(5, work('done', Promise.resolve()), clock)
    void within(5, work('late', never), clock)
    clock.advance(5)
    await Promise.resolve()
    expect(heard).toEqual(['late'])
  })

  test('drops the error of work that fails afterwards', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const work = Promise.withResolvers<string>()
    const clock = handClock()
    const answer = withDeadline(5, work.promise, () => 'late', clock)
    clock.advance(5)
    expect(await answer).toBe('late')
    work.reject(new Error('afterwards'))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})

describe('polling', () => {
  test('ends with what is seen first', async () => {
    let looks = 0
    const look = async () => (++looks === 3 ? 'seen' : undefined)
    expect(await poll(look, { withinMs: 1_000, everyMs: 1 }, passingClock())).toBe('seen')
    expect(looks).toBe(3)
  })

  test('looks once more when the time is over, and answers undefined', async () => {
    let looks = 0
    const look = async () => void looks++
    expect(await poll(look, { withinMs: 0, everyMs: 1 }, passingClock())).toBeUndefined()
    expect(looks).toBe(1)
    expect(await poll(look, { withinMs: 5, everyMs: 10 }, passingClock())).toBeUndefined()
    expect(looks).toBe(3)
  })
})

test('work is retried for as long as its failures are worth it', async () => {
  let calls = 0
  const work = async () => (++calls < 3 ? Promise.reject(new Error(`failure ${calls}`)) : 'done')
  expect(await retry(work, (_, attempt) => attempt < 5)).toBe('done')
  calls = 0
  await expect(retry(work, (_, attempt) => attempt < 2)).rejects.toThrow('failure 2')
})

test('the causes of an error are told from the outside in, and a circle of them ends', () => {
  const inner = new Error('inner')
  expect(causesOf(new Error('outer', { cause: inner }))).toEqual([expect.any(Error), inner])
  expect(causesOf(undefined)).toEqual([])
  inner.cause = inner
  expect(causesOf(inner)).toHaveLength(5)
})

describe('a pause', () => {
  test('is over by itself, and in real time where no clock is given', async () => {
    expect(await pause(1)).toBeUndefined()
    expect(await withDeadline(1, never, () => 'late')).toBe('late')
  })

  test('ends early with its signal, and at once where that has come before', async () => {
    const over = new AbortController()
    const paused = pause(60_000, over.signal)
    over.abort()
    expect(await paused).toBeUndefined()
    expect(await pause(60_000, over.signal)).toBeUndefined()
  })
})
