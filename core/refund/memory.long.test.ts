import { expect, test } from 'vitest'
import { fitOf } from './memory.ts'

const books = (total: bigint, due: bigint) => ({ total, due })
const memory = (total: bigint, waived = 0n) => ({ paid: total - waived, waived })

test('a call names all that is owed while the register remembers what the books say was paid', () => {
  const fit = fitOf(books(12n, 5n), memory(7n), 0n)
  expect(fit).toEqual({ total: 12n, isAhead: false, ahead: 0n, isWaived: false, waived: 0n, canPay: true })
})

test('the register is ahead when it has paid more than these books know; what was waived is none of it', () => {
  expect(fitOf(books(12n, 5n), memory(8n), 0n)).toMatchObject({ isAhead: true, ahead: 1n, canPay: false })
  expect(fitOf(books(12n, 5n), memory(8n, 1n), 0n)).toMatchObject({ isAhead: false, canPay: false })
})

test('a memory that lacks what the books say was paid would pay it again, so nothing is called', () => {
  expect(fitOf(books(12n, 5n), memory(6n), 0n).canPay).toBe(false)
})

test('what is due is waived only as a whole, and by a waiver', () => {
  expect(fitOf(books(12n, 5n), memory(11n, 4n), 0n).isWaived).toBe(false)
  expect(fitOf(books(12n, 5n), memory(12n, 5n), 0n).isWaived).toBe(true)
  expect(fitOf(books(12n, 5n), memory(12n), 0n).isWaived).toBe(false)
  expect(fitOf(books(7n, 0n), memory(7n, 5n), 0n).isWaived).toBe(false)
  expect([11n, 12n, 20n].map((total) => fitOf(books(12n, 5n), memory(total, 4n), 0n).waived)).toEqual([
    4n,
    4n,
    4n,
  ])
  expect([6n, 9n, 12n].map((total) => fitOf(books(12n, 5n), memory(total, 6n), 0n).waived)).toEqual([
    0n,
    2n,
    5n,
  ])
})

test('what another wallet owes now stays in the memory, and a call for new debts names it as well', () => {
  // 4 paid and 6 waived of 10 that were handed over; 3 are new.
  expect(fitOf(books(3n, 3n), memory(10n, 6n), 10n)).toEqual({
    ...{ total: 13n, isAhead: false, ahead: 0n, isWaived: false, waived: 0n, canPay: true },
  })
  // A database that has forgotten the handing over: the register would pay nothing, and nothing is called.
  expect(fitOf(books(13n, 13n), memory(10n, 6n), 0n)).toMatchObject({ total: 13n, canPay: false })
})
