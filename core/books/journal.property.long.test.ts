import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flowOf, foldOf, holders, openingAt, prizesOf, termsOf, wallets } from '../../e2e/lab/flow-words.ts'
import type { Flow } from '../flows/flow.ts'
import { openJournal } from './journal.ts'

const anyStep = fc.record({
  place: fc.constantFrom('transaction', 'block', 'later', 'later'),
  wallet: fc.constantFrom(...wallets),
  holder: fc.constantFrom(...holders),
  units: fc.bigInt({ min: 1n, max: 60n }),
  event: fc.constantFrom(1, 2),
  kind: fc.constantFrom(
    ...(['credited', 'credited', 'credited', 'leftover', 'refund', 'refund', 'register'] as const),
    ...(['prize', 'out', 'in', 'move', 'self'] as const),
  ),
})
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

function toFlows(steps: readonly Step[]): Flow[] {
  let [block, transaction] = [1, 1]
  return steps.flatMap(({ place, wallet, holder: counterparty, units, event: eventNumber, kind }) => {
    if (place !== 'transaction') transaction++
    if (place === 'later') block++
    const of = { block, transaction, wallet, counterparty, units }
    const out = { ...of, direction: 'out' } as const
    const other = kind === 'self' ? wallet : (wallets.find((one) => one !== wallet) as Flow['wallet'])
    switch (kind) {
      case 'credited':
      case 'leftover':
        return flowOf({ ...of, eventNumber, class: kind })
      case 'refund':
      case 'register':
        return flowOf({ ...out, class: 'refund', debtor: counterparty, isRegister: kind === 'register' })
      case 'prize':
        return flowOf({ ...out, eventNumber, class: 'prize' })
      case 'move':
      case 'self':
        return [
          flowOf({ ...out, counterparty: other, class: 'own' }),
          flowOf({ ...of, wallet: other, counterparty: wallet, class: 'own' }),
        ]
      default:
        return flowOf({ ...(kind === 'out' ? out : of), class: 'other' })
    }
  })
}

const anyStory = fc.record({
  flows: fc.array(anyStep, { minLength: 60, maxLength: 120, size: 'max' }).map(toFlows),
  drawnAt: fc.integer({ min: 1, max: 120 }),
  refundAt: fc.integer({ min: 1, max: 120 }),
  openedAt: fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 })),
  held: fc.bigInt({ min: 0n, max: 500n }),
  prize: fc.bigInt({ min: 0n, max: 100n }),
})
type Story = typeof anyStory extends fc.Arbitrary<infer T> ? T : never

function journalOf({ flows, drawnAt, refundAt, openedAt, held, prize }: Story) {
  const openings = wallets.map((wallet, at) => openingAt(wallet, openedAt[at] ?? 0, held))
  const draws = [{ eventNumber: 1, blockNumber: BigInt(drawnAt) }]
  const prizes = prizesOf({ 1: [prize] })
  const journal = openJournal({
    openings: openings.map((opening) => ({ ...opening, at: Number(opening.blockNumber) })),
    draws: draws.map((draw) => ({ ...draw, at: drawnAt })),
    refunding: [{ eventNumber: 2, at: refundAt }],
    prizes,
  })
  journal.recall(new Set(holders), [])
  const fold = foldOf(termsOf({ openings, draws, prizes, refunding: new Set([2]) }))
  const last = Number(flows.at(-1)?.blockNumber ?? 0n) + 200
  for (const flow of flows) {
    journal.take(flow)
    fold.take(flow)
  }
  journal.close(BigInt(last), last)
  return { journal, entries: journal.entries(), sums: fold.sums(BigInt(last)) }
}

const sumOf = (all: readonly { units: bigint }[]) => all.reduce((sum, { units }) => sum + units, 0n)

test('whatever moves, every transaction adds up to zero and each wallet’s account is what the wallet holds', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      const { journal, entries, sums } = journalOf(story)
      for (const { postings } of entries) {
        expect(sumOf(postings)).toBe(0n)
        expect(postings.length).toBeGreaterThan(1)
      }
      const all = journal.balances.all()
      expect(sumOf(all)).toBe(0n)
      for (const wallet of wallets)
        expect(sumOf(all.filter((one) => one.account === 'wallet' && one.wallet === wallet))).toBe(
          sums.balances.get(wallet),
        )
      // The lines alone make the balances.
      const lines = entries.flatMap(({ postings }) => postings)
      for (const { account, wallet, eventNumber, units } of all)
        expect(
          sumOf(
            lines.filter(
              (line) =>
                line.account === account && line.wallet === wallet && line.eventNumber === eventNumber,
            ),
          ),
        ).toBe(units)
    }),
    { numRuns: 60 },
  )
})

test('the liabilities are what the books of the site owe, kept by another program', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      const { journal, sums } = journalOf(story)
      const all = journal.balances.all()
      const owed = (...accounts: string[]) => -sumOf(all.filter(({ account }) => accounts.includes(account)))
      expect(owed('leftovers')).toBe(sums.owed.leftovers)
      expect(owed('refunds')).toBe(sums.owed.refunds)
      expect(owed('tickets')).toBe(sums.owed.credited)
      // Of a drawn event nothing is owed any more: all that it brought is revenue.
      expect(all.filter((one) => one.account === 'tickets' && one.eventNumber === 1)).toEqual([])
    }),
    { numRuns: 60 },
  )
})

test('entries are in the order of time', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      const times = journalOf(story).entries.map(({ at }) => at)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    }),
    { numRuns: 30 },
  )
})
