import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canBeOver, type Flight, hasUnknownTraffic, lostFrom, nonceBoundOf, paysRow } from './nonce.ts'

const offeredAt = new Date('2026-01-01T00:00:00Z')
const day = 24 * 3_600_000
const flight = (more: Partial<Flight> = {}): Flight => ({
  ...{ nonceBound: 7, transactionNonce: null, relayed: false, lostAt: null, offeredAt },
  ...more,
})

test('I16 a request may use the nonces after those of the requests before it', () => {
  expect(nonceBoundOf(5, 1, [])).toBe(5)
  expect(nonceBoundOf(5, 10, [])).toBe(14)
  expect(nonceBoundOf(5, 1, [5])).toBe(6)
})

test('I16 a request to a wallet that keeps its nonces is over once the final chain has used them', () => {
  expect(canBeOver(flight(), 7)).toBe(false)
  expect(canBeOver(flight(), 8)).toBe(true)
  expect(canBeOver(flight(), undefined)).toBe(false)
})

test('a request that a relay may take, or a wallet with nonces of its own, is over by the nonces and a word', () => {
  const lostAt = new Date(offeredAt.getTime() + day)
  expect(canBeOver(flight({ relayed: true }), 8)).toBe(false)
  expect(canBeOver(flight({ relayed: true, lostAt }), 7)).toBe(false)
  expect(canBeOver(flight({ relayed: true, lostAt }), 8)).toBe(true)
})

test('a request whose transaction is known is over when another one has used its nonce, whoever chose it', () => {
  expect(canBeOver(flight({ relayed: true, transactionNonce: 9 }), 9)).toBe(false)
  expect(canBeOver(flight({ relayed: true, transactionNonce: 9 }), 10)).toBe(true)
})

test('a report without an offer is over by an administrator’s word alone', () => {
  expect(canBeOver(flight({ nonceBound: null }), 99)).toBe(false)
  expect(canBeOver(flight({ nonceBound: null, lostAt: offeredAt }), undefined)).toBe(true)
})

test('nothing is called lost within a day of the last time that a page waited for it', () => {
  expect(lostFrom(flight())).toEqual(new Date(offeredAt.getTime() + day))
})

test('a word never frees what the nonces have not, and nothing is freed without a final nonce', () => {
  const flights = fc.record({
    nonceBound: fc.nat(9),
    transactionNonce: fc.option(fc.nat(9)),
    relayed: fc.boolean(),
    lostAt: fc.option(fc.constant(offeredAt)),
    offeredAt: fc.constant(offeredAt),
  })
  fc.assert(
    fc.property(flights, fc.nat(12), (one, finalNonce) => {
      expect(canBeOver(one, undefined)).toBe(false)
      if (!canBeOver(one, finalNonce)) return
      expect(finalNonce).toBeGreaterThan(one.nonceBound)
      const isKnown = one.transactionNonce !== null && one.transactionNonce < finalNonce
      expect(!one.relayed || isKnown || one.lostAt !== null).toBe(true)
    }),
  )
})

test('pending transactions are explained one by one, by the nonces of those that were reported', () => {
  expect(hasUnknownTraffic(5, 5, [])).toBe(false)
  expect(hasUnknownTraffic(6, 5, [])).toBe(true)
  expect(hasUnknownTraffic(6, 5, [5])).toBe(false)
  expect(hasUnknownTraffic(7, 5, [5, 5])).toBe(true)
  expect(hasUnknownTraffic(6, 5, [3, 4])).toBe(true)
  expect(hasUnknownTraffic(7, 5, [6, 5])).toBe(false)
})

test('a transaction pays a row if its calldata names the payee and the amount', () => {
  const recipient = `0x${'Ab'.repeat(20)}` as const
  const row = { recipient, units: 1_500n }
  const amount = (1_500).toString(16).padStart(64, '0')
  const call = (payee: string, units: string) => `0xa9059cbb${payee.padStart(64, '0')}${units}` as const
  expect(paysRow(call('ab'.repeat(20), amount), row)).toBe(true)
  expect(paysRow(call('ac'.repeat(20), amount), row)).toBe(false)
  expect(paysRow(call('ab'.repeat(20), '0'.repeat(64)), row)).toBe(false)
})
