import { expect, test } from 'vitest'
import { callLanding } from './call.ts'

const at = (seconds: number) => new Date(seconds * 1000)
const hash = `0x${'5e'.repeat(32)}`
const call = {
  ...{ offeredTotal: 10n, validUntil: at(3600), offeredCalls: 1 },
  ...{ transactionHash: hash, transactionNonce: 7 },
}
const final = (time: number, hashes: string[] = []) => ({ time, hashes })

test('a call is done when the register remembers its total, whoever raised it', () => {
  expect(callLanding(call, 9n, final(0))).toBeUndefined()
  expect(callLanding(call, 10n, undefined)).toBe('mined')
  expect(callLanding(call, 11n, final(9999))).toBe('mined')
})

test('a call may still pay until a final block has a later time than its deadline', () => {
  expect(callLanding(call, 0n, undefined)).toBeUndefined()
  expect(callLanding(call, 0n, final(3600))).toBeUndefined()
  expect(callLanding(call, 0n, final(3601))).toBe('dead')
})

test('a call that is final itself and has paid nothing is dead, unless it was handed out twice or is another one', () => {
  expect(callLanding(call, 0n, final(0, [hash]))).toBe('dead')
  expect(callLanding({ ...call, offeredCalls: 2 }, 0n, final(0, [hash]))).toBeUndefined()
  expect(callLanding({ ...call, transactionNonce: null }, 0n, final(0, [hash]))).toBeUndefined()
})
