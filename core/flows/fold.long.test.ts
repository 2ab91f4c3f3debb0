import { numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { flowOf, foldOf, holders, openingAt, prizesOf, termsOf, wallets } from '../../e2e/lab/flow-words.ts'
import { openFold } from './fold.ts'

const [w1, w2] = wallets
const [ana, ben, eve] = holders
const byRegister = {
  class: 'refund',
  direction: 'out',
  counterparty: ana,
  debtor: ana,
  isRegister: true,
} as const

describe('held and required', () => {
  test('a credited payment is held and required until the draw, and then held alone', () => {
    const fold = foldOf(
      termsOf({ openings: [openingAt(w1, 0, 50n)], draws: [{ eventNumber: 1, blockNumber: 20n }] }),
    )
    fold.take(flowOf({ block: 10, class: 'credited', wallet: w1, counterparty: ana, units: 300n }))
    expect(fold.sums(19n)).toMatchObject({ held: 350n, required: 300n, cover: 50n, owed: { credited: 300n } })
    expect(fold.sums(20n)).toMatchObject({ held: 350n, required: 0n, cover: 350n, owed: { credited: 0n } })
  })

  test('one unit more than the surplus that goes out is short, and the lowest point names it', () => {
    const fold = foldOf(termsOf({ openings: [openingAt(w1, 0, 50n)] }))
    fold.take(flowOf({ block: 10, class: 'credited', wallet: w1, counterparty: ana, units: 300n }))
    const out = flowOf({
      block: 11,
      direction: 'out',
      class: 'other',
      wallet: w1,
      counterparty: eve,
      units: 51n,
    })
    fold.take(out)
    fold.take(flowOf({ block: 12, class: 'other', wallet: w1, counterparty: eve, units: 100n }))
    expect(fold.sums(12n)).toMatchObject({
      cover: 99n,
      lowest: { cover: -1n, block: 11n, transactionHash: out.transactionHash },
      outflow: { other: 51n },
      others: [out],
    })
  })

  test('a move between two own wallets lowers nothing, in one transaction or where it has no place in its block', () => {
    const fold = foldOf(termsOf({ openings: [openingAt(w1, 0, 100n), openingAt(w2, 0, 0n)] }))
    fold.take(flowOf({ block: 5, class: 'credited', wallet: w1, counterparty: ana, units: 60n }))
    const move = { block: 6, class: 'own', units: 150n, transaction: 77 } as const
    fold.take(flowOf({ ...move, direction: 'out', wallet: w1, counterparty: w2 }))
    fold.take(flowOf({ ...move, wallet: w2, counterparty: w1 }))
    expect(fold.sums(6n)).toMatchObject({ cover: 100n, lowest: { cover: 100n }, outflow: { own: 150n } })
    expect(fold.sums(6n).balances).toEqual(
      new Map([
        [w1, 10n],
        [w2, 150n],
      ]),
    )
  })

  test('what one wallet has paid of a debt counts, also where the one that has taken the rest over had paid before', () => {
    const leftover = { class: 'leftover', counterparty: ana } as const
    for (const isRegister of [true, false]) {
      const fold = foldOf(termsOf({ openings: [openingAt(w1, 0, 0n), openingAt(w2, 0, 0n)] }))
      fold.take({ ...flowOf({ ...leftover, block: 5, wallet: w1, units: 320n }), owedBy: w2 })
      fold.take(flowOf({ ...leftover, block: 6, wallet: w2, units: 300n }))
      fold.take(flowOf({ ...byRegister, isRegister, block: 7, wallet: w2, units: 300n }))
      fold.take(flowOf({ ...byRegister, block: 8, wallet: w1, units: 100n }))
      expect(fold.sums(8n)).toMatchObject({ required: 220n })
    }
  })

  test('dust of a payer is not required until it adds up', () => {
    const fold = foldOf(termsOf({ dust: 10n }))
    const dust = { class: 'leftover', wallet: w1, counterparty: ana } as const
    fold.take(flowOf({ ...dust, block: 5, units: 9n }))
    fold.take(flowOf({ ...dust, block: 6, units: 9n, counterparty: ben }))
    expect(fold.sums(6n)).toMatchObject({ required: 0n })
    fold.take(flowOf({ ...dust, block: 7, units: 1n }))
    expect(fold.sums(7n)).toMatchObject({ required: 10n, owed: { leftovers: 10n } })
  })

  test('a refund settles what lies in an earlier block; what is more settles nothing that comes later', () => {
    const fold = foldOf(termsOf({ refunding: new Set([1]) }))
    fold.take(flowOf({ block: 5, class: 'credited', wallet: w1, counterparty: ana, units: 40n }))
    const refund = { class: 'refund', direction: 'out', wallet: w1, counterparty: ana, debtor: ana } as const
    fold.take(flowOf({ ...refund, block: 6, units: 70n }))
    fold.take(flowOf({ block: 7, class: 'credited', wallet: w1, counterparty: ana, units: 40n }))
    fold.take(flowOf({ ...refund, block: 7, units: 40n }))
    expect(fold.sums(7n)).toMatchObject({ required: 40n, owed: { refunds: 40n } })
  })

  test('what fits no row of a batch pays back what its receiver was owed, unless somebody says that it was no refund', () => {
    for (const isMarked of [false, true]) {
      const fold = foldOf(termsOf({}))
      fold.take(flowOf({ block: 5, class: 'leftover', wallet: w1, counterparty: ana, units: 40n }))
      const out = { direction: 'out', class: 'other', wallet: w1, counterparty: ana, units: 70n } as const
      fold.take(flowOf({ ...out, block: 6, isMarked }))
      expect(fold.sums(6n)).toMatchObject({ required: isMarked ? 40n : 0n, outflow: { other: 70n } })
    }
  })

  test('the register pays what its own wallet owes, and no other', () => {
    const fold = foldOf(termsOf({}))
    fold.take(flowOf({ block: 5, class: 'leftover', wallet: w1, counterparty: ana, units: 40n }))
    fold.take(flowOf({ ...byRegister, block: 6, wallet: w2, units: 40n }))
    expect(fold.sums(6n)).toMatchObject({ required: 40n })
    fold.take(flowOf({ ...byRegister, block: 7, wallet: w1, units: 40n }))
    expect(fold.sums(7n)).toMatchObject({ required: 0n })
  })

  test('a transfer that was more than its prize pays nobody else: the other winner is still owed', () => {
    const fold = foldOf(
      termsOf({
        openings: [openingAt(w1, 0, 30n)],
        draws: [{ eventNumber: 1, blockNumber: 5n }],
        prizes: prizesOf({ 1: [10n, 20n] }),
      }),
    )
    const paid = { direction: 'out', class: 'prize', wallet: w1, counterparty: ana, eventNumber: 1 } as const
    fold.take(flowOf({ block: 10, ...paid, units: 30n, prizePlace: 1 }))
    expect(fold.sums(10n)).toMatchObject({ required: 20n, cover: -20n })
  })

  test('what came without a ticket to a wallet that has not signed is matched by nothing, and owed by nothing', () => {
    const fold = foldOf(termsOf({ openings: [openingAt(w1, 0, 5n)] }))
    fold.take(flowOf({ block: 10, class: 'leftover', wallet: w2, counterparty: eve, units: 900n }))
    expect(fold.sums(10n)).toMatchObject({ held: 5n, required: 0n, isUnbacked: false })
    fold.take(flowOf({ block: 11, class: 'credited', wallet: w2, counterparty: ana, units: 9n }))
    expect(fold.sums(11n)).toMatchObject({ required: 9n, isUnbacked: true })
  })

  test('what a wallet owed before its key was lost is owed on, though what it holds counts no more; a thief owes himself', () => {
    const lost = { ...openingAt(w2, 0, 700n), counts: false, owesUntil: 11 }
    const fold = foldOf(termsOf({ openings: [openingAt(w1, 0, 5n), lost] }))
    const paid = { class: 'leftover', wallet: w2, counterparty: ana, units: 9n } as const
    fold.take(flowOf({ ...paid, block: 10 }))
    fold.take(flowOf({ ...paid, block: 12, counterparty: eve, units: 900n }))
    expect(fold.sums(12n)).toMatchObject({ held: 5n, required: 9n, owed: { leftovers: 9n } })
    const back = { direction: 'out', class: 'refund', wallet: w1, counterparty: ana, debtor: ana } as const
    fold.take(flowOf({ ...back, block: 13, units: 4n }))
    expect(fold.sums(13n)).toMatchObject({ held: 1n, required: 5n, cover: -4n })
  })

  test('many small transfers hide neither a large one nor the transaction since which it is short', () => {
    const fold = foldOf(termsOf({ openings: [openingAt(w1, 0, 50n)] }))
    const send = (block: number, units: bigint) => {
      const out = flowOf({ block, direction: 'out', class: 'other', wallet: w1, counterparty: eve, units })
      fold.take(out)
      return out
    }
    fold.take(flowOf({ block: 1, class: 'credited', wallet: w1, counterparty: ana, units: 300n }))
    const small = send(2, 20n)
    const large = send(3, 100n)
    const dust = Array.from({ length: 60 }, (_, index) => send(10 + index, 1n))
    const { others, shortSince, lowest } = fold.sums(70n)
    expect(others).toEqual([...dust.slice(-10).reverse(), ...dust.slice(0, 8).reverse(), large, small])
    expect(shortSince).toMatchObject({ transactionHash: large.transactionHash, cover: -70n })
    expect(lowest?.transactionHash).toBe(dust.at(-1)?.transactionHash)
    fold.take(flowOf({ block: 80, class: 'other', wallet: w1, counterparty: eve, units: 130n }))
    expect(fold.sums(80n)).toMatchObject({ shortSince: null, cover: 0n })
    const again = send(90, 1n)
    expect(fold.sums(90n).shortSince?.transactionHash).toBe(again.transactionHash)
  })

  test('a wallet that is registered later makes no lowest cover forgotten', () => {
    const flows = [
      flowOf({ block: 5, class: 'credited', wallet: w1, counterparty: ana, units: 300n }),
      flowOf({ block: 6, direction: 'out', class: 'other', wallet: w2, counterparty: eve, units: 1n }),
      flowOf({ block: 10, direction: 'out', class: 'other', wallet: w1, counterparty: eve, units: 250n }),
      flowOf({ block: 20, class: 'other', wallet: w1, counterparty: eve, units: 250n }),
    ]
    const fold = foldOf(termsOf({ openings: [openingAt(w1, 0, 0n), openingAt(w2, 25, 0n)] }))
    for (const flow of flows) fold.take(flow)
    expect(fold.sums(30n).lowest?.cover).toBe(-250n)
  })

  test('tickets of earlier draws are owed to nobody, and of payers whom nothing is sent to only the sum is kept', () => {
    const fold = openFold(termsOf({ eventNumber: 2, draws: [{ eventNumber: 1, blockNumber: 5n }] }))
    fold.take(flowOf({ block: 3, class: 'credited', wallet: w1, counterparty: ana, units: 300n }))
    expect(fold.sums(3n)).toMatchObject({ required: 0n })
    for (const [block, counterparty] of [ana, ben].entries())
      fold.take(
        flowOf({ block: 7 + block, eventNumber: 2, class: 'credited', wallet: w1, counterparty, units: 9n }),
      )
    const back = flowOf({
      block: 9,
      direction: 'out',
      class: 'other',
      wallet: w1,
      counterparty: ben,
      units: 4n,
    })
    expect(() => fold.take(back)).toThrow(RangeError)
    const bens = flowOf({
      block: 8,
      eventNumber: 2,
      class: 'credited',
      wallet: w1,
      counterparty: ben,
      units: 9n,
    })
    fold.recall(new Set([ben]), [bens])
    fold.take(back)
    expect(fold.sums(9n)).toMatchObject({ required: 14n, owed: { credited: 14n } })
  })

  test('in refund mode, too, a million payers are one sum: of 300,000 nothing is kept', () => {
    const fold = openFold(termsOf({ refunding: new Set([1]) }))
    const payer = (n: number) => numberToHex(n, { size: 20 })
    const takeUpTo = (from: number, end: number) => {
      for (let n = from; n <= end; n++)
        fold.take(flowOf({ block: n, class: 'credited', wallet: w1, counterparty: payer(n), units: 3n }))
      Bun.gc(true)
      return process.memoryUsage().heapUsed
    }
    const before = takeUpTo(1, 2_000)
    expect(takeUpTo(2_001, 300_000) - before).toBeLessThan(20 * 2 ** 20)
    expect(fold.sums(300_000n)).toMatchObject({ required: 900_000n, owed: { refunds: 900_000n } })
  })

  test('of an event the larger of tickets and token prizes is required, and after its draw the prizes', () => {
    const terms = termsOf({ prizes: prizesOf({ 1: [100n] }), draws: [{ eventNumber: 1, blockNumber: 20n }] })
    const fold = foldOf(terms)
    expect(fold.sums(4n)).toMatchObject({ required: 100n, owed: { credited: 0n, prizes: 100n } })
    fold.take(flowOf({ block: 5, class: 'credited', wallet: w1, counterparty: ana, units: 40n }))
    expect(fold.sums(5n)).toMatchObject({ required: 100n, owed: { credited: 40n, prizes: 60n } })
    fold.take(flowOf({ block: 6, class: 'credited', wallet: w1, counterparty: ben, units: 80n }))
    expect(fold.sums(6n)).toMatchObject({ required: 120n, owed: { credited: 120n, prizes: 0n } })
    expect(fold.sums(20n)).toMatchObject({ required: 100n, owed: { credited: 0n, prizes: 100n } })
    fold.take(
      flowOf({ block: 21, direction: 'out', class: 'prize', wallet: w1, counterparty: ana, units: 100n }),
    )
    expect(fold.sums(21n)).toMatchObject({ required: 0n, outflow: { prize: 100n } })
  })
})

describe('openings', () => {
  test('a wallet that is added later counts from its opening on, and what came to it before is in it', () => {
    const fold = foldOf(termsOf({ openings: [openingAt(w1, 0, 10n), openingAt(w2, 7, 500n)] }))
    fold.take(flowOf({ block: 5, class: 'credited', wallet: w1, counterparty: ana, units: 30n }))
    fold.take(flowOf({ block: 6, class: 'credited', wallet: w2, counterparty: ben, units: 30n }))
    // Until w2 is opened nobody knows what it holds: the debt alone is no lowest point.
    expect(fold.sums(6n)).toMatchObject({ held: 40n, required: 60n, lowest: { cover: 10n, block: 5n } })
    fold.take(
      flowOf({ block: 8, direction: 'out', class: 'other', wallet: w2, counterparty: eve, units: 475n }),
    )
    expect(fold.sums(8n)).toMatchObject({ held: 65n, required: 60n, lowest: { cover: 5n, block: 8n } })
  })

  test('money in a wallet that has not signed counts for nothing, and its balance is known all the same', () => {
    const fold = foldOf(
      termsOf({ openings: [openingAt(w1, 0, 10n), { ...openingAt(w2, 0, 90n), counts: false }] }),
    )
    fold.take(flowOf({ block: 5, class: 'credited', wallet: w2, counterparty: ana, units: 30n }))
    const sums = fold.sums(5n)
    expect(sums).toMatchObject({ held: 10n, required: 30n, cover: -20n })
    expect(sums.balances).toEqual(
      new Map([
        [w1, 10n],
        [w2, 120n],
      ]),
    )
  })

  test('what moved before the sale start is no point of the sale, but counts', () => {
    const fold = foldOf(termsOf({ openings: [openingAt(w1, 0, 10n)], saleStart: 8 }))
    fold.take(
      flowOf({ block: 5, direction: 'out', class: 'other', wallet: w1, counterparty: eve, units: 9n }),
    )
    expect(fold.sums(7n)).toMatchObject({ held: 1n, lowest: null, others: [], outflow: { other: 0n } })
  })
})
