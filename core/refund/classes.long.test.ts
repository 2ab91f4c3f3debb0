import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { classOf } from './classes.ts'

const [payer, ours, stranger] = ['a1', '0f', 'b0'].map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
]
const plain = { debtor: null, rowId: null, recipient: payer, notRefund: false }
const classIn = (more: Partial<Parameters<typeof classOf>[0]>) =>
  classOf({ ...plain, ...more }, new Set([ours]))

test('what the register paid is a refund, whatever is said of it, unless it went where its debtor never wanted it', () => {
  expect(classIn({ debtor: payer })).toBe('refund')
  expect(classIn({ debtor: payer, notRefund: true })).toBe('refund')
  expect(classIn({ debtor: payer, recipient: stranger, isElsewhere: true })).toBe('other')
  expect(classIn({ debtor: payer, recipient: ours, isElsewhere: true })).toBe('own')
})

test('what a row has been given is a refund, also to a wallet of ours, until it is marked', () => {
  expect(classIn({ rowId: 1 })).toBe('refund')
  expect(classIn({ rowId: 1, recipient: ours })).toBe('refund')
  expect(classIn({ rowId: 1, notRefund: true })).toBe('other')
})

test('the rest went to a wallet of ours or was for something else', () => {
  expect(classIn({ recipient: ours })).toBe('own')
  expect(classIn({})).toBe('other')
})

test('what paid a prize is no refund, also where a row was given it, and the register’s own word comes before it', () => {
  expect(classIn({ prizePlace: 1 })).toBe('prize')
  expect(classIn({ prizePlace: 1, rowId: 1 })).toBe('prize')
  expect(classIn({ prizePlace: 1, notRefund: true, recipient: ours })).toBe('prize')
  expect(classIn({ prizePlace: 1, debtor: payer })).toBe('refund')
})
