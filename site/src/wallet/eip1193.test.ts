import { describe, expect, test } from 'vitest'
import {
  failing,
  hashAnswers,
  refusals,
  rejections,
  vagueAnswers,
  vagueErrors,
} from '../../../e2e/lab/manners.ts'
import { type Eip1193, errorText, rpcCode, sendTransaction } from './eip1193.ts'

const hash = `0x${'1c'.repeat(32)}`

describe('sending', () => {
  const sent = (answer: () => unknown) =>
    sendTransaction({ request: async () => answer() } as unknown as Eip1193, {})
  const each = (values: readonly unknown[]) => values.map((value) => [value])

  test.each(each(hashAnswers.map((of) => of(hash))))('the hash is found in %j', async (answer) => {
    expect(await sent(() => answer)).toBe(hash)
  })

  test.each(each(vagueAnswers.map((of) => of(hash))))(
    'of %j nobody knows whether it was sent',
    async (answer) => {
      expect(await sent(() => answer)).toBeUndefined()
    },
  )

  test.each(each(vagueErrors))('after the error %j nobody knows either', async (error) => {
    expect(await sent(failing(error))).toBeUndefined()
  })

  test.each(each(rejections))('%j is a rejection: nothing was sent', async (error) => {
    await expect(sent(failing(error))).rejects.toBe(error)
    expect(rpcCode(error)).toBe(4001)
  })

  test.each(refusals)('%j says that nothing was sent, and why', async (error, text) => {
    await expect(sent(failing(error))).rejects.toBe(error)
    expect(errorText(error)).toBe(text)
  })
})

test('nothing is read out of what is no error', () => {
  for (const nothing of [undefined, null, 'text', {}, { code: -32603 }, { code: 'x' }])
    expect(rpcCode(nothing)).toBeUndefined()
})
