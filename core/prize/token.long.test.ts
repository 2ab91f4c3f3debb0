import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { balance } from '../refund/accounts.ts'
import type { AccountRow, OutTransfer } from '../refund/books.ts'
import { transferMarks } from '../refund/classes.ts'
import { type Sent, settlePrizes, type TokenPrize } from './token.ts'

const token: Address = `0x${'55'.repeat(20)}`
const ours: Address = `0x${'0f'.repeat(20)}`
const people: Address[] = ['a1', 'b0', 'c2'].map((byte): Address => `0x${byte.repeat(20)}`)
const [alice] = people as [Address]
const prize = (more: Partial<TokenPrize> = {}): TokenPrize => ({
  ...{ eventNumber: 1, place: 1, token, wallet: alice, units: 500n, drawnBlock: 10n },
  ...more,
})
let count = 0
const sent = (more: Partial<Sent> = {}): Sent => ({
  ...{ key: `${++count}`, token, recipient: alice, units: 500n, blockNumber: 11n, debtor: null, mark: null },
  ...more,
})
const left = (prizes: TokenPrize[], transfers: Sent[]) => [...settlePrizes(prizes, transfers).unpaid.values()]

test('a prize is what was sent to its winner behind the draw, in its token, of exactly its amount', () => {
  expect(left([prize()], [sent()])).toEqual([0n])
  for (const other of [
    { units: 499n },
    { units: 501n },
    { blockNumber: 10n },
    { token: ours },
    { recipient: ours },
    { debtor: alice },
  ])
    expect(left([prize()], [sent(other)])).toEqual([500n])
})

test('of two transfers of the amount the first is the prize, and of two prizes the older event’s is paid first', () => {
  const [first, second] = [sent(), sent({ blockNumber: 12n })]
  expect([...settlePrizes([prize()], [first, second]).paid.keys()]).toEqual([first.key])
  const [old, young] = [prize(), prize({ eventNumber: 2, drawnBlock: 10n })]
  expect([...settlePrizes([young, old], [first, second]).paid.values()].map((one) => one.prize)).toEqual([
    old,
    young,
  ])
})

test('a mark makes a part a prize or keeps the whole from being one; then exactly the rest is the prize', () => {
  expect(left([prize()], [sent({ mark: 'refund' })])).toEqual([500n])
  expect(left([prize()], [sent({ mark: 'other' })])).toEqual([500n])
  expect(left([prize()], [sent({ mark: 'prize', units: 200n })])).toEqual([300n])
  const rest = [sent({ mark: 'prize', units: 200n }), sent({ units: 500n }), sent({ units: 300n })]
  expect(left([prize()], rest)).toEqual([0n])
  expect(settlePrizes([prize()], rest).paid.has(rest[1]?.key as string)).toBe(false)
})

const some = fc.constantFrom(100n, 200n, 300n)
const transfers = fc.array(
  fc.record({
    to: fc.integer({ min: 0, max: 2 }),
    units: some,
    block: fc.integer({ min: 5, max: 20 }),
    mark: fc.option(fc.constantFrom(...transferMarks), { freq: 5 }),
  }),
  { maxLength: 14 },
)
const promised = fc.array(fc.record({ to: fc.integer({ min: 0, max: 2 }), units: some }), { maxLength: 5 })
const debts = fc.array(fc.record({ payer: fc.integer({ min: 0, max: 2 }), units: some }), { maxLength: 5 })

test('I39 nothing is counted twice: each transfer is a prize, a refund or neither, and none pays more than is owed', () => {
  fc.assert(
    fc.property(promised, debts, transfers, (promised, owed, moves) => {
      const prizes = promised.map(({ to, units }, index) =>
        prize({ place: index + 1, wallet: people[to] as Address, units }),
      )
      const out = moves
        .toSorted((a, b) => a.block - b.block)
        .map(({ to, units, block, mark }) =>
          sent({ recipient: people[to] as Address, units, blockNumber: BigInt(block), mark }),
        )
      const { paid, unpaid } = settlePrizes(prizes, out)
      const rows = owed.map(
        ({ payer, units }, id): AccountRow => ({
          ...{ id, payer: people[payer] as Address, recipient: people[payer] as Address },
          debts: [
            { paymentId: 0, token, wallet: ours, handedOverBy: null, units, since: 1n, isRefolded: false },
          ],
          ...{ state: 'planned', reason: null, isHeld: false, offeredUnits: null, offeredPath: null },
          transactionHash: null,
        }),
      )
      const books = balance(
        rows,
        out.map(
          (one): OutTransfer => ({
            ...{
              key: one.key,
              token,
              wallet: ours,
              recipient: one.recipient,
              units: one.units,
              debtor: null,
            },
            ...{ block: one.blockNumber, transactionHash: `0x${one.key}`, rowId: null },
            notRefund: paid.has(one.key) || one.mark === 'other' || one.mark === 'prize',
          }),
        ),
      )
      for (const key of books.given.keys()) expect(paid.has(key)).toBe(false)
      for (const person of people) {
        const toPrizes = prizes
          .filter(({ wallet }) => wallet === person)
          .reduce((sum, one) => sum + one.units - (unpaid.get(one) as bigint), 0n)
        const toRefunds = rows
          .filter(({ payer }) => payer === person)
          .reduce((sum, { id }) => {
            const account = books.accounts.get(id)
            return sum + (account ? account.owed - account.due : 0n)
          }, 0n)
        const arrived = out
          .filter(({ recipient }) => recipient === person)
          .reduce((sum, { units }) => sum + units, 0n)
        expect(toPrizes + toRefunds).toBeLessThanOrEqual(arrived)
      }
      for (const [one, rest] of unpaid) {
        const its = [...paid.values()].filter(({ prize }) => prize === one)
        expect(one.units - its.reduce((sum, { units }) => sum + units, 0n)).toBe(rest)
        expect(rest).toBeGreaterThanOrEqual(0n)
      }
    }),
    { numRuns: 1_000 },
  )
})
