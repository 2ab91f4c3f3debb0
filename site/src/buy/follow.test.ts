import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PurchaseReport } from '../../../core/live/public.ts'
import { claim, follow } from './follow.ts'

const purchase = {
  walletAddress: `0x${'a'.repeat(40)}`,
  transactionHash: `0x${'1'.repeat(64)}` as const,
  quantity: 33,
  amount: 9900,
}
const report = (status: PurchaseReport['status'], ticketNumber: number | null = null): PurchaseReport => ({
  transactionHash: purchase.transactionHash,
  status,
  reason: null,
  payments: [
    {
      walletAddress: '0x00',
      status,
      reason: null,
      ticketNumber,
      ticketCount: 33,
      amount: 9900,
      refund: null,
    },
  ],
})

/** Answers fetches from a list and records the method and body of each. */
function answering(answers: readonly (Error | [status: number, body: unknown])[]) {
  const left = [...answers]
  const asked: [method: string, body: unknown][] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    asked.push([init.method ?? 'GET', init.body ? JSON.parse(String(init.body)) : null])
    const answer = left.shift()
    if (!answer) throw new Error('nothing left to answer')
    if (answer instanceof Error) throw answer
    return new Response(JSON.stringify(answer[1]), { status: answer[0] })
  })
  return asked
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('retries after network errors and a busy server, and reports the trouble meanwhile', async () => {
  const asked = answering([new TypeError('offline'), [503, {}], [202, {}]])
  const trouble: boolean[] = []
  const claimed = claim(purchase, (isTroubled) => trouble.push(isTroubled))
  await vi.runAllTimersAsync()
  await claimed
  expect(asked).toEqual(Array.from({ length: 3 }, () => ['POST', purchase]))
  expect(trouble).toEqual([true, true, false])
})

test('stops at a refusal, with status and body as the message', async () => {
  answering([[422, { message: 'No.' }]])
  await expect(claim(purchase, () => {})).rejects.toMatchObject({
    message: '422: {"message":"No."}',
    detail: 'No.',
  })
})

test('follows a payment until its tickets have numbers', async () => {
  answering([
    [200, report('received')],
    [200, report('confirming')],
    [200, report('credited', null)],
    [200, report('credited', 7)],
  ])
  const seen: string[] = []
  const followed = follow(purchase.transactionHash, {
    onReport: ({ status }) => seen.push(status),
    onTrouble: vi.fn(),
  })
  await vi.runAllTimersAsync()
  expect(await followed).toEqual(report('credited', 7))
  expect(seen).toEqual(['received', 'confirming', 'credited', 'credited'])
})

test('posts the hash again without hints when the server does not know it', async () => {
  const asked = answering([
    [404, {}],
    [202, {}],
    [200, report('rejected')],
  ])
  const followed = follow(purchase.transactionHash, { onReport: vi.fn(), onTrouble: vi.fn() })
  await vi.runAllTimersAsync()
  expect((await followed)?.status).toBe('rejected')
  expect(asked[1]).toEqual(['POST', { transactionHash: purchase.transactionHash }])
})
