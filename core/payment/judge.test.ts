import fc from 'fast-check'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { unitsOf } from '../money.ts'
import { foldPayments, judgePayment, type OurWallet, type SaleRules, type SaleTerms } from './judge.ts'
import type { FoundPayment } from './payment.ts'

const alice: Address = `0x${'a1'.repeat(20)}`
const operator: Address = `0x${'0f'.repeat(20)}`
const laterOperator: Address = `0x${'0c'.repeat(20)}`
const formerOperator: Address = `0x${'0e'.repeat(20)}`

const anchor: Address = `0x${'0a'.repeat(20)}`

const terms = (number: number, saleStart: number, saleEnd: number | null, wallet = operator): SaleTerms => ({
  number,
  operatorWallet: wallet,
  ...{ anchorWallet: anchor, formerWallets: [] },
  ticketPrice: unitsOf(300),
  saleStart,
  saleEnd,
  isClosed: false,
})

describe('P10: judgePayment', () => {
  const day = 86_400
  const events = [
    terms(1, 100, 200, formerOperator),
    { ...terms(2, 300, 400), formerWallets: [formerOperator] },
  ]
  const wallets: OurWallet[] = [
    { address: formerOperator, since: 90 },
    { address: operator, since: 280 },
    { address: laterOperator, since: 10 * day },
  ]
  const paid = (cents: number, wallet = operator, payer = alice) => ({ payer, wallet, units: unitsOf(cents) })

  test.each([
    ['in the sale', paid(99_00), 300, 2, 33],
    ['with a remainder', paid(10_00), 399, 2, 3],
    ['at the sale end', paid(99_00), 400, 2, 'late'],
    ['between two sales', paid(99_00, formerOperator), 250, 1, 'late'],
    ['before the first sale', paid(99_00), 99, 1, 'early'],
    ['before the first sale, to the wallet of a later one', paid(99_00), 99, 1, 'early'],
    [
      'more than a day before the first sale: nothing of ours',
      paid(99_00, formerOperator),
      99 - day,
      null,
      'early',
    ],
    ['to a wallet that is ours only later', paid(99_00), 279, 1, 'early'],
    [
      'by a wallet of ours, to one that is ours only later',
      paid(99_00, operator, formerOperator),
      279,
      1,
      'early',
    ],
    ['to a wallet that is ours only days later', paid(99_00, laterOperator), 300, 2, 'early'],
    ['below the price', paid(2_99), 300, 2, 'underpaid'],
    ['to a former wallet', paid(99_00, formerOperator), 300, 2, 'old_wallet'],
    ['by the operator itself', paid(99_00, operator, operator), 300, 2, 'held'],
    [
      'by a wallet that proved to be ours, in the block of that moment',
      paid(99_00, operator, formerOperator),
      300,
      2,
      'held',
    ],
    ['by a wallet that proves to be ours only later', paid(99_00, formerOperator, operator), 150, 1, 33],
    ['minted', paid(99_00, operator, `0x${'0'.repeat(40)}`), 300, 2, 'held'],
  ] as const)('%s', (_, payment, blockTime, eventNumber, told) => {
    const verdict =
      typeof told === 'number'
        ? { status: 'credited', reason: null, ticketCount: told }
        : { status: 'rejected', reason: told, ticketCount: 0 }
    expect(judgePayment(payment, blockTime, { events, wallets })).toEqual({ eventNumber, ...verdict })
  })

  test('an event without a draw date keeps selling', () => {
    expect(judgePayment(paid(3_00), 10 ** 10, { events: [terms(1, 100, null)], wallets: [] })).toMatchObject({
      status: 'credited',
    })
  })

  test('of a closed event, what a wallet got more than a day before it was ours is none of ours', () => {
    const closed = { events: [{ ...terms(1, 100, null), isClosed: true }], wallets }
    const judge = (time: number) => judgePayment(paid(99_00, laterOperator), time, closed)
    expect(judge(9 * day - 1)).toMatchObject({ eventNumber: null, reason: 'early' })
    expect(judge(9 * day)).toMatchObject({ eventNumber: 1, reason: 'early' })
    expect(judge(10 * day)).toMatchObject({ eventNumber: 1, reason: 'old_wallet' })
  })

  test('a payment of a sale that is drawn or archived buys nothing any more', () => {
    const closed = { events: [{ ...terms(1, 100, 200), isClosed: true }], wallets: [] }
    expect(judgePayment(paid(3_00), 150, closed)).toMatchObject({ status: 'rejected', reason: 'missed' })
    expect(judgePayment(paid(2_99), 150, closed)).toMatchObject({ reason: 'underpaid' })
    expect(judgePayment(paid(3_00), 200, closed)).toMatchObject({ reason: 'late' })
  })

  test('a payment of the most tickets is credited, one of more is too much', () => {
    const rules = { events: [terms(1, 100, null)], wallets: [] }
    const units = unitsOf(300) * 2_000_000_000n
    const judge = (more: bigint) => judgePayment({ ...paid(0), units: units + more }, 100, rules)
    expect(judge(unitsOf(300) - 1n)).toMatchObject({ status: 'credited', ticketCount: 2_000_000_000 })
    expect(judge(unitsOf(300))).toMatchObject({ status: 'rejected', reason: 'full' })
    expect(judge(2n ** 255n)).toMatchObject({ status: 'rejected', reason: 'full' })
  })
})

describe('foldPayments', () => {
  const price = unitsOf(300)
  const rules: SaleRules = {
    events: [terms(1, 0, null)],
    wallets: [],
  }
  const pay = (tickets: bigint, index: number): FoundPayment => ({
    ...{ transactionHash: `0x${'00'.repeat(32)}`, payer: alice, wallet: operator, units: price * tickets },
    ...{ blockNumber: 1n, blockHash: `0x${'00'.repeat(32)}`, blockTime: 1 },
    ...{ transactionIndex: index, firstLogIndex: index },
  })
  const counts = (before: number) => new Map([[1, before]])
  const fold = (tickets: readonly bigint[], before = 0) =>
    foldPayments(tickets.map(pay), rules, counts(before)).map((p) => [p.reason, p.ticketNumber])

  test('I3: the payment that would take the event above its most gets nothing as a whole, smaller ones still fit', () => {
    expect(fold([3n, 2n, 1n, 1n], 1_999_999_996)).toEqual([
      [null, 1_999_999_997],
      ['full', null],
      [null, 2_000_000_000],
      ['full', null],
    ])
  })

  test('a payment is judged by the version in force at its block time, and gets nothing by one that was not locked', () => {
    const dear = { ...terms(1, 100, null), ticketPrice: unitsOf(500), since: 200 }
    const judged = (events: SaleTerms[], time: number) => {
      const { reason, ticketCount } = judgePayment(pay(5n, 0), time, { events, wallets: [] })
      return reason ?? ticketCount
    }
    const open = [terms(1, 100, null), dear]
    expect([99, 100, 199, 200].map((time) => judged(open, time))).toEqual(['early', 5, 5, 3])
    const locked = [
      { ...terms(1, 100, null), isClosed: true, isLocked: true },
      { ...dear, isLocked: true },
    ]
    expect([100, 200].map((time) => judged(locked, time))).toEqual(['missed', 3])
  })

  test('I3: whatever is paid, tickets are numbered without a gap up to the most and never beyond', () => {
    const tickets = fc.oneof(fc.bigInt(0n, 5n), fc.bigInt(0n, 3_000_000_000n))
    fc.assert(
      fc.property(fc.array(tickets, { maxLength: 12 }), fc.nat(2_000_000_000), (paid, before) => {
        let next = before + 1
        for (const { status, ticketNumber, ticketCount } of foldPayments(
          paid.map(pay),
          rules,
          counts(before),
        )) {
          if (status === 'rejected') continue
          expect(ticketNumber).toBe(next)
          next += ticketCount
        }
        expect(next - 1).toBeLessThanOrEqual(2_000_000_000)
      }),
    )
  })
})
