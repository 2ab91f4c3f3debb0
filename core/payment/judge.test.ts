import fc from 'fast-check'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { unitsOf } from '../money.ts'
import { foldPayments, judgePayment, type OurWallet, type SaleRules, type SaleTerms } from './judge.ts'
import type { FoundPayment } from './payment.ts'

const alice: Address = `0x${'a1'.repeat(20)}`
const bob: Address = `0x${'b0'.repeat(20)}`
const carol: Address = `0x${'c0'.repeat(20)}`
const operator: Address = `0x${'0f'.repeat(20)}`
const laterOperator: Address = `0x${'0c'.repeat(20)}`
const formerOperator: Address = `0x${'0e'.repeat(20)}`

const terms = (number: number, saleStart: number, saleEnd: number | null, wallet = operator): SaleTerms => ({
  number,
  operatorWallet: wallet,
  ticketPrice: unitsOf(300),
  saleStart,
  saleEnd,
  isClosed: false,
})

test('exactly one unit of a drawn wallet to its event’s wallet is a claim from the draw to the last turn, also in a later sale', () => {
  const claims = { wallets: new Set([alice]), from: 500, until: 900 }
  const events = [{ ...terms(1, 100, 400), isClosed: true, claims }, terms(2, 600, null)]
  const rules = { events, wallets: [{ address: operator, since: 90, ownSince: null }] }
  const judged = (time: number, units = 1n, payer = alice, wallet = operator) => {
    const { eventNumber, reason } = judgePayment({ payer, wallet, units }, time, rules)
    return [eventNumber, reason]
  }
  expect([499, 500, 700, 899, 900].map((time) => judged(time))).toEqual([
    [1, 'late'],
    [1, 'claim'],
    [1, 'claim'],
    [1, 'claim'],
    [2, 'underpaid'],
  ])
  expect(judged(700, 2n)).toEqual([2, 'underpaid'])
  expect(judged(700, 1n, laterOperator)).toEqual([2, 'underpaid'])
  expect(judged(550, 1n, alice, formerOperator)[1]).not.toBe('claim')
})

test('a claim goes to its event’s wallet or to that of the event whose time it is, and to no other of ours', () => {
  const claims = { wallets: new Set([alice]), from: 500, until: 900 }
  const events = [
    { ...terms(1, 100, 400, formerOperator), isClosed: true, claims },
    { ...terms(2, 600, 620), isClosed: true },
    terms(3, 700, null, laterOperator),
  ]
  const wallets = [operator, formerOperator, laterOperator].map((address) => ({
    address,
    since: 90,
    ownSince: null,
  }))
  const judged = (time: number, wallet: Address, units = 1n) => {
    const { eventNumber, reason } = judgePayment({ payer: alice, wallet, units }, time, { events, wallets })
    return [eventNumber, reason]
  }
  expect([550, 650, 750].map((time) => judged(time, formerOperator))).toEqual(Array(3).fill([1, 'claim']))
  expect([550, 650, 750].map((time) => judged(time, operator))).toEqual([
    [1, 'old_wallet'],
    [1, 'claim'],
    [3, 'old_wallet'],
  ])
  expect([650, 750, 899, 900].map((time) => judged(time, laterOperator))).toEqual([
    [2, 'old_wallet'],
    [1, 'claim'],
    [1, 'claim'],
    [3, 'underpaid'],
  ])
  expect(judged(750, laterOperator, 2n)).toEqual([3, 'underpaid'])
})

describe('P10: judgePayment', () => {
  const day = 86_400
  const events = [terms(1, 100, 200, formerOperator), terms(2, 300, 400)]
  const wallets: OurWallet[] = [
    { address: formerOperator, since: 90, ownSince: 300 },
    { address: operator, since: 280, ownSince: 350 },
    { address: laterOperator, since: 10 * day, ownSince: null },
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
  const counts = (before: number) => ({ sold: new Map([[1, before]]), held: new Map() })
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

  test('I3: a payment beyond a cap gets no ticket as a whole, whoever paid in the same block, and a later smaller one fits', () => {
    const capped = { events: [{ ...terms(1, 0, null), maxTickets: 12, maxPerWallet: 5 }], wallets: [] }
    const paid = [
      [alice, 5n],
      [bob, 6n],
      [alice, 1n],
      [bob, 5n],
      [carol, 3n],
      [carol, 2n],
      [carol, 1n],
    ] as const
    const found = paid.map(([payer, tickets], index) => ({ ...pay(tickets, index), payer }))
    expect(
      foldPayments(found, capped, counts(0)).map((p) => [p.reason, p.ticketNumber, p.ticketCount]),
    ).toEqual([
      [null, 1, 5],
      ['over_cap', null, 0],
      ['over_cap', null, 0],
      [null, 6, 5],
      ['over_cap', null, 0],
      [null, 11, 2],
      ['over_cap', null, 0],
    ])
  })

  test('what is above the most that an event can have is full, where its own cap is not met before', () => {
    const events = [{ ...terms(1, 0, null), maxPerWallet: 1_500_000_000 }]
    const fold = (tickets: readonly bigint[], before: number) =>
      foldPayments(tickets.map(pay), { events, wallets: [] }, counts(before)).map((p) => p.reason)
    expect(fold([2n, 1n], 1_999_999_999)).toEqual(['full', null])
    expect(fold([1_500_000_001n], 1_999_999_999)).toEqual(['over_cap'])
  })

  test('I3: without a cap for a wallet nobody is counted', () => {
    const none = counts(0)
    foldPayments([pay(1n, 0)], { events: [{ ...terms(1, 0, null), maxTickets: 5 }], wallets: [] }, none)
    expect(none.held.size).toBe(0)
  })

  test('I3: with any caps, in any split of the payments, the fold is the naive one', () => {
    const cap = fc.option(fc.integer({ min: 1, max: 30 }))
    const one = fc.record({
      tickets: fc.bigInt(0n, 12n),
      payer: fc.constantFrom(alice, bob, carol),
      event: fc.constantFrom(1, 2),
    })
    fc.assert(
      fc.property(
        fc.array(one, { maxLength: 30 }),
        fc.array(fc.record({ maxTickets: cap, maxPerWallet: cap }), { minLength: 2, maxLength: 2 }),
        fc.array(fc.nat(30)),
        (chosen, caps, cuts) => {
          const events = caps.map((each, index) => ({ ...terms(index + 1, index * 100, null), ...each }))
          const found = [...chosen]
            .sort((a, b) => a.event - b.event)
            .map(({ tickets, payer, event }, index) => ({
              ...pay(tickets, index),
              payer,
              blockTime: event * 100 - 50,
            }))
          const state = { sold: new Map<number, number>(), held: new Map() }
          const places = [0, ...cuts.sort((a, b) => a - b), found.length]
          const folded = places.flatMap((from, index) =>
            foldPayments(found.slice(from, places[index + 1] ?? from), { events, wallets: [] }, state),
          )
          expect(folded.map((p) => [p.eventNumber, p.reason, p.ticketNumber])).toEqual(naiveFold(found, caps))
        },
      ),
    )
  })

  /** The rule once more: every payment is looked at with all that have tickets before it. */
  function naiveFold(
    found: readonly FoundPayment[],
    caps: readonly { maxTickets: number | null; maxPerWallet: number | null }[],
  ) {
    const had: { event: number; payer: string; tickets: number }[] = []
    return found.map(({ payer, units, blockTime }) => {
      const event = blockTime < 100 ? 1 : 2
      const tickets = Number(units / price)
      if (tickets === 0) return [event, 'underpaid', null]
      const { maxTickets, maxPerWallet } = caps[event - 1] as (typeof caps)[0]
      const all = had.filter((one) => one.event === event)
      const sum = (some: typeof all) => some.reduce((total, one) => total + one.tickets, 0)
      const isOver =
        sum(all) + tickets > (maxTickets ?? 1e9) ||
        sum(all.filter((one) => one.payer === payer)) + tickets > (maxPerWallet ?? 1e9)
      if (isOver) return [event, 'over_cap', null]
      had.push({ event, payer, tickets })
      return [event, null, sum(all) + 1]
    })
  }

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
