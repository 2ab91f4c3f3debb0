import { expect, test } from 'vitest'
import { refuseOtherAddress } from './read-content.ts'

const wallet = `0x${'ab'.repeat(20)}` as const
const other = `0x${'c0'.repeat(20)}`
const refused = (value: unknown, of: typeof wallet | null = wallet) => {
  try {
    refuseOtherAddress(value, of)
    return undefined
  } catch (error) {
    return error as object
  }
}

test('a text may name the operator wallet alone, in any case, and hashes', () => {
  for (const text of [
    `Send to ${wallet}.`,
    `0X${'AB'.repeat(20)}`,
    `Seen in 0x${'c0'.repeat(32)}`,
    '0xc0c0…c0c0',
    `${'c0'.repeat(20)}`,
    7n,
    null,
  ])
    expect([text, refused(text)]).toEqual([text, undefined])
})

test('any other address is refused, however it is written, by its field', () => {
  for (const text of [
    other,
    `지갑이 바뀌었습니다: ${other.toUpperCase()}로`,
    `${wallet} or ${other}`,
    `${wallet}c`,
    `${other}and more`,
    `https://bscscan.com/address/${other}`,
    `${other.slice(0, 9)}\u200b${other.slice(9)}`,
    other.replaceAll('0', '０'),
  ])
    expect([text, refused(text)]).toMatchObject([text, { code: 'INVALID_VALUE' }])
  expect(refused(wallet, null)).toBeDefined()
  expect(refused({ title: { en: 'a', ko: 'b' }, prizes: [{ about: { en: 'a', ko: other } }] })).toMatchObject(
    {
      field: 'prizes.0.about.ko',
    },
  )
})
