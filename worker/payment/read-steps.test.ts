import { expect, test } from 'vitest'
import { operator } from '../../e2e/lab/chain.ts'
import { usdt } from '../../e2e/lab/usdt.ts'
import type { Reading } from '../chain/logs.ts'
import type { Range } from '../chain/range.ts'
import { readSteps } from './read.ts'

const head = { number: 99n, hash: '0xff', timestamp: 0 } as const
const range = { token: usdt, wallets: [operator], from: 0n, head }

/** A chain whose steps are ten blocks and answered when the test says so; `tells` those whose end is told before. */
function chainOfTens(tells: (from: bigint) => boolean = () => true) {
  const open = new Map<bigint, PromiseWithResolvers<Reading>>()
  const asked: bigint[] = []
  let most = 0
  return {
    asked,
    most: () => most,
    answer(from: bigint): void {
      const end = { number: from + 9n, hash: '0x', timestamp: 0 } as const
      open.get(from)?.resolve({ end, transfers: [], paid: [], anchors: [] })
      open.delete(from)
    },
    fail(from: bigint, error: Error): void {
      open.get(from)?.reject(error)
      open.delete(from)
    },
    transfers: (_: unknown, { from, onBegin }: Range): Promise<Reading> => {
      const answer = Promise.withResolvers<Reading>()
      open.set(from, answer)
      asked.push(from)
      most = Math.max(most, open.size)
      if (tells(from)) onBegin?.(from + 9n)
      return answer.promise
    },
  }
}

async function take(steps: AsyncGenerator<{ from: bigint }>, count: number): Promise<bigint[]> {
  const found: bigint[] = []
  while (found.length < count) found.push((await steps.next()).value.from)
  return found
}

test('two steps are read at once, and come in their order, whichever is answered first', async () => {
  const chain = chainOfTens()
  const steps = readSteps(chain, range)
  const first = steps.next()
  expect(chain.asked).toEqual([0n, 10n])
  chain.answer(10n)
  chain.answer(0n)
  expect((await first).value?.from).toBe(0n)
  expect(chain.asked).toEqual([0n, 10n, 20n])
  expect(await take(steps, 1)).toEqual([10n])
  const rest = take(steps, 8)
  for (let from = 20n; from <= 90n; from += 10n) {
    while (!chain.asked.includes(from)) await Promise.resolve()
    chain.answer(from)
  }
  expect(await rest).toEqual([20n, 30n, 40n, 50n, 60n, 70n, 80n, 90n])
  expect((await steps.next()).done).toBe(true)
  expect(chain.most()).toBe(2)
})

test('a step whose end is not told is read before the next one is asked for', async () => {
  const chain = chainOfTens((from) => from !== 10n)
  const steps = readSteps(chain, range)
  const first = steps.next()
  chain.answer(0n)
  await first
  const second = steps.next()
  await Promise.resolve()
  expect(chain.asked).toEqual([0n, 10n])
  chain.answer(10n)
  expect((await second).value?.from).toBe(10n)
  expect(chain.asked).toEqual([0n, 10n, 20n, 30n])
})

test('a step that fails ends them at its place: none behind it comes, and no further one is asked for', async () => {
  const chain = chainOfTens()
  const steps = readSteps(chain, range)
  const first = steps.next()
  chain.fail(10n, new Error('away'))
  chain.answer(0n)
  expect((await first).value?.from).toBe(0n)
  chain.answer(20n)
  await expect(steps.next()).rejects.toThrow('away')
  expect((await steps.next()).done).toBe(true)
  expect(chain.asked).toEqual([0n, 10n, 20n])
})

test('nothing more is asked for once the caller stops', async () => {
  const chain = chainOfTens((from) => from === 0n)
  const steps = readSteps(chain, range)
  const first = steps.next()
  chain.answer(0n)
  await first
  await steps.return()
  chain.answer(10n)
  await Promise.resolve()
  expect(chain.asked).toEqual([0n, 10n])
})
