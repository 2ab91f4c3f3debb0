import { describe, expect, test } from 'vitest'
import { type Eip1193, errorText, rpcCode, sendTransaction } from './eip1193.ts'

const hash = `0x${'1c'.repeat(32)}`

describe('sending', () => {
  const sent = (answer: () => unknown) =>
    sendTransaction({ request: async () => answer() } as unknown as Eip1193, {})
  const failing = (error: unknown) => () => {
    throw error
  }

  test.each<[unknown]>([
    [hash],
    [hash.toUpperCase().replace('0X', '0x')],
    [` ${hash}\n`],
    [{ hash }],
    [{ transactionHash: hash }],
  ])('the hash is found in %j', async (answer) => {
    expect(await sent(() => answer)).toBe(hash)
  })

  test.each<[unknown]>([[`0x${'1c'.repeat(65)}`], [{ id: hash }], [null], [undefined], [42], ['']])(
    'of %j nobody knows whether it was sent',
    async (answer) => {
      expect(await sent(() => answer)).toBeUndefined()
    },
  )

  test.each<[unknown]>([
    [{}],
    [undefined],
    [{ code: -32603, message: 'Internal JSON-RPC error.' }],
    [{ code: 4900, message: 'Disconnected' }],
    [{ code: -32000, message: 'already known' }],
    [new Error('Attempting to use a disconnected port object')],
    [new Error('Request expired. Please try again.')],
  ])('after the error %j nobody knows either', async (error) => {
    expect(await sent(failing(error))).toBeUndefined()
  })

  test.each<[unknown]>([
    [{ code: 4001, message: 'no' }],
    [{ code: '4001' }],
    [{ code: 5000, message: 'User rejected.' }],
    [{ code: -32603, message: 'x', data: { cause: { code: 4001 } } }],
    [{ message: 'x', error: { code: 4001 } }],
    [{ code: 'ACTION_REJECTED', message: 'user rejected action (action="sendTransaction", …)' }],
    [{ code: -32603, message: 'MetaMask Tx Signature: User denied transaction signature.' }],
  ])('%j is a rejection: nothing was sent', async (error) => {
    await expect(sent(failing(error))).rejects.toBe(error)
    expect(rpcCode(error)).toBe(4001)
  })

  test.each<[unknown, string | undefined]>([
    [
      { code: -32603, message: 'Internal JSON-RPC error.', data: { message: 'insufficient funds for gas' } },
      'insufficient funds for gas',
    ],
    [
      { code: -32000, message: 'execution reverted: BEP20: transfer amount exceeds balance' },
      'execution reverted: BEP20: transfer amount exceeds balance',
    ],
    [{ code: -32602, message: 'Invalid params' }, 'Invalid params'],
    [{ code: -32002 }, undefined],
  ])('%j says that nothing was sent, and why', async (error, text) => {
    await expect(sent(failing(error))).rejects.toBe(error)
    expect(errorText(error)).toBe(text)
  })
})

test('nothing is read out of what is no error', () => {
  for (const nothing of [undefined, null, 'text', {}, { code: -32603 }, { code: 'x' }])
    expect(rpcCode(nothing)).toBeUndefined()
})
