import { expect, test, vi } from 'vitest'
import { eachTestWithStorage } from '../../../e2e/lab/browser-storage.ts'
import { daysFromNow, fromNow } from '../../../e2e/lab/test-time.ts'
import { purchasesKey } from '../shell/storage.ts'
import { forgetPurchase, type Pending, pendingPurchases, rememberPurchase } from './purchase.ts'

const entry = (digit: string, sentAt = fromNow(0).getTime() + Number(digit)): Pending => ({
  walletAddress: `0x${'a'.repeat(40)}`,
  transactionHash: `0x${digit.repeat(64)}`,
  quantity: 33,
  amount: 9900,
  sentAt,
})

eachTestWithStorage()

test('keeps payments across a reload until each is finished', () => {
  const [first, second] = [entry('1'), entry('2')]
  rememberPurchase(first)
  rememberPurchase(second)
  expect(pendingPurchases().map((p) => p.transactionHash?.[2])).toEqual(['1', '2'])
  forgetPurchase(first)
  expect(pendingPurchases().map((p) => p.transactionHash?.[2])).toEqual(['2'])
  forgetPurchase(second)
  expect(localStorage.getItem(purchasesKey)).toBeNull()
})

test('a purchase is kept once, also where its hash is not known yet, or is another one later', () => {
  const unclear = { ...entry('1'), transactionHash: null }
  rememberPurchase(unclear)
  expect(pendingPurchases()).toEqual([unclear])
  rememberPurchase({ ...entry('2'), sentAt: unclear.sentAt })
  expect(pendingPurchases()).toHaveLength(1)
})

test('leaves out entries that are invalid or a week old', () => {
  const broken = [null, 7, {}, { ...entry('3'), transactionHash: '0x12' }, { ...entry('3'), quantity: 1.5 }]
  localStorage.setItem(
    purchasesKey,
    JSON.stringify([...broken, entry('4', daysFromNow(-8).getTime()), entry('5')]),
  )
  expect(pendingPurchases().map((p) => p.transactionHash?.[2])).toEqual(['5'])
  localStorage.setItem(purchasesKey, 'no json')
  expect(pendingPurchases()).toEqual([])
})

test('works without storage', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('denied')
    },
    setItem: () => {
      throw new Error('denied')
    },
  })
  rememberPurchase(entry('1'))
  expect(pendingPurchases()).toEqual([])
})
