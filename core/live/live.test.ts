import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyChange, changeBetween, type PublicPurchase, type PublicState, recentLimit } from './public.ts'

test('a change holds only the new purchases, not the whole list', () => {
  const known = aState(1, [3, 2, 1])
  const change = changeBetween(
    known,
    { ...aState(2, [5, 4, 3, 2, 1]), stats: { ticketsSold: 5, ticketPrice: 3 } },
    7,
  )
  expect(change).toEqual({
    version: 2,
    now: 7,
    stats: { ticketsSold: 5, ticketPrice: 3 },
    recentAdded: [purchase(5), purchase(4)],
  })
})

test('a list that differs in another way is sent whole', () => {
  expect(changeBetween(aState(1, [3, 2, 1]), aState(2, [9]), 7)).toEqual({
    version: 2,
    now: 7,
    recent: [purchase(9)],
  })
})

test('a client that applies every change has the whole state', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: recentLimit })
  const step = fc.oneof(ids, fc.integer({ min: 1, max: 70 }))
  fc.assert(
    fc.property(ids, fc.array(step, { maxLength: 5 }), (first, steps) => {
      let server = aState(1, first)
      let client = server
      for (const change of steps) {
        const next =
          typeof change === 'number'
            ? [...fresh(change), ...server.recent.map(({ id }) => id)].slice(0, recentLimit)
            : change
        const state = aState(server.version + 1, next)
        client = applyChange(client, changeBetween(server, state, 0))
        server = state
        expect(client).toEqual(server)
      }
    }),
  )
})

let newest = 1_000
const fresh = (count: number): number[] => Array.from({ length: count }, () => ++newest).reverse()

function aState(version: number, ids: number[]): PublicState {
  return { version, stats: { ticketsSold: 0, ticketPrice: 3 }, recent: ids.map(purchase) } as PublicState
}

const purchase = (id: number): PublicPurchase => ({
  id,
  ticketNumber: id,
  ticketCount: 1,
  transactionHash: '0x00',
  walletAddress: '0x00',
  createdAt: '2025-01-01T00:00:00.000Z',
  amount: 300,
})
