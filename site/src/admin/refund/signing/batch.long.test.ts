import { expect, test } from 'vitest'
import { canBatch, findBatch, sendBatch } from './batch.ts'

const wallet = `0x${'ab'.repeat(20)}` as const
const answering = (answer: unknown) => ({
  request: async () => {
    if (answer instanceof Error || (answer as { code?: number }).code) throw answer
    return answer
  },
})
const send = (answer: unknown) =>
  sendBatch(answering(answer), {
    ...{ wallet, token: wallet, chainId: 56 },
    rows: [{ to: wallet, units: 1n }],
  })

test.each([
  [{ '0x38': { atomic: { status: 'supported' } } }, true],
  [{ '0x38': { atomic: { status: 'ready' } } }, true],
  [{ '0x38': { atomic: { status: 'unsupported' } } }, false],
  [{ '0x1': { atomic: { status: 'supported' } } }, false],
  [{ '0x38': {} }, false],
  [{ code: -32601 }, false],
])('a wallet can batch only if it reports so for this chain: %j', async (answer, expected) => {
  expect(await canBatch(answering(answer), wallet, 56)).toBe(expected)
})

test('only a known refusal code means that nothing was sent', async () => {
  expect(await send({ id: '0x1' })).toEqual({ kind: 'accepted', id: '0x1' })
  expect(await send({ code: 4001 })).toEqual({ kind: 'rejected' })
  expect(await send({ code: -32603, data: { originalError: { code: 4001 } } })).toEqual({ kind: 'rejected' })
  expect(await send({ code: 5740 })).toEqual({ kind: 'unsupported' })
  for (const code of [-32601, -32602, 4200, 5700, 5710, 5750, 5760])
    expect(await send({ code })).toEqual({ kind: 'unsupported' })
  for (const answer of [new Error('timeout'), { code: -32000 }, { code: -32603 }, { code: 4900 }, {}])
    expect(await send(answer)).toMatchObject({ kind: 'unknown' })
})

test('findBatch returns the transaction of a batch, or undefined without an answer', async () => {
  const hash = `0x${'cd'.repeat(32)}`
  expect(await findBatch(answering({ status: 200, receipts: [{ transactionHash: hash }] }), '0x1')).toBe(hash)
  expect(await findBatch(answering({ code: -32601 }), '0x1')).toBeUndefined()
  expect(await findBatch(answering({ status: 500, receipts: [] }), '0x1')).toBeUndefined()
  expect(await findBatch(answering({ status: 100 }), '0x1', { timeoutMs: 5, everyMs: 2 })).toBeUndefined()
})
