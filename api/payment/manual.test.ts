import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addressKeys } from '../../core/address-list.ts'
import type { PaymentReason } from '../../core/payment/payment.ts'
import { listAudit } from '../../db/admin/settings.ts'
import { claimPayment } from '../../db/payment/claims.ts'
import { claims } from '../../db/schema/index.ts'
import { openAdminSession } from '../../e2e/lab/admin-api.ts'
import { passingClock } from '../../e2e/lab/hand-clock.ts'
import { alice, foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

/** Becomes of a hash, in the worker's place, as soon as it is looked up. */
let found: { status: 'rejected' | 'not_found'; reason?: PaymentReason } | undefined
let lookups = 0
const adminApi = forEachTest(() => {
  found = undefined
  lookups = 0
  return openAdminSession({
    clock: passingClock(),
    jobs: {
      enqueue: async () => {
        lookups += 1
        if (found) await adminApi.db.update(claims).set(found)
        return true
      },
    },
  })
})
const process = (transactionHash: string) =>
  adminApi.ask('POST', '/api/admin/blockchain/process-transaction', { transactionHash })
const hash = `0x${'ab'.repeat(32)}` as const

test('of parallel calls for one payment one gets its tickets, and the audit list tells both ends', async () => {
  const payment = paid(adminApi.event, { block: 3, cents: 9_00 })
  await foldTo(adminApi.db, adminApi.event, 5, [payment])
  const answers = await Promise.all(Array.from({ length: 5 }, () => process(payment.transactionHash)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  const rows = await listAudit(adminApi.db, { action: 'process-transaction' }, 5)
  expect(rows.filter(({ outcome }) => outcome === '200')).toMatchObject([
    { after: { transactionHash: payment.transactionHash, ticketsCreated: 3 } },
  ])
  expect(rows.filter(({ outcome }) => outcome === '409')).toMatchObject(
    Array(4).fill({ after: { refused: 'ALREADY_PROCESSED' } }),
  )
})

test('a hash that its buyer has posted is already processed', async () => {
  const payment = paid(adminApi.event, { block: 3, cents: 3_00 })
  const { transactionHash } = payment
  const hints = { walletAddress: alice, quantity: 1, amount: 300 }
  await claimPayment(adminApi.db, { transactionHash, ...hints, keys: addressKeys('192.0.2.1') })
  await foldTo(adminApi.db, adminApi.event, 5, [payment])
  expect(await process(transactionHash)).toMatchObject({ status: 409, body: { code: 'ALREADY_PROCESSED' } })
})

test.each<[PaymentReason, number, string]>([
  ['underpaid', 422, 'BELOW_TICKET_PRICE'],
  ['no_transfer', 422, 'NO_MATCHING_TRANSFER'],
  ['reverted', 422, 'TX_FAILED'],
  ['early', 409, 'OUTSIDE_SALE_WINDOW'],
  ['late', 409, 'OUTSIDE_SALE_WINDOW'],
  ['old_wallet', 409, 'OUTSIDE_SALE_WINDOW'],
  ['missed', 409, 'OUTSIDE_SALE_WINDOW'],
])('a payment that is rejected as %s is answered with %i %s', async (reason, status, code) => {
  found = { status: 'rejected', reason }
  expect(await process(hash)).toMatchObject({ status, body: { code } })
})

test('an unknown hash is not found, and looked up again with each call: the buyer may have been too quick', async () => {
  found = { status: 'not_found' }
  for (const calls of [1, 2]) {
    expect(await process(hash)).toMatchObject({
      status: 404,
      body: { code: 'TRANSACTION_NOT_FOUND', error: expect.stringContaining('transaction not found') },
    })
    expect(lookups).toBe(calls)
  }
})

test('a hash that waits for its block is pending while a worker hears the chain, and else nobody can tell', async () => {
  expect(await process(hash)).toMatchObject({ status: 503, body: { code: 'RPC_UNAVAILABLE' } })
  const [told] = await listAudit(adminApi.db, { action: 'process-transaction' }, 1)
  expect(told).toMatchObject({ outcome: '503', after: { refused: 'RPC_UNAVAILABLE' } })
  const facts = { endpoints: [{ state: 'ok' }] }
  await adminApi.db.execute(sql`insert into reports (name, facts) values ('chain', ${JSON.stringify(facts)})`)
  expect(await process(hash)).toMatchObject({ status: 409, body: { code: 'TX_PENDING' } })
})
