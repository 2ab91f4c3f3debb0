import { sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { expect, test } from 'vitest'
import { addressKeys } from '../../core/address-key.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice } from '../../e2e/lab/ledger-story.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { claimPayment, getClaim, purgeClaims } from './claims.ts'

const own = await forFile(testDb())

const hashOf = (n: number): Hash => `0x${n.toString(16).padStart(64, '0')}`
const claimOf = (transactionHash: Hash) => ({
  transactionHash,
  walletAddress: alice,
  quantity: 33,
  amount: 9900,
})
const post = (n: number, from: string) =>
  claimPayment(own.db, { ...claimOf(hashOf(n)), keys: addressKeys(from) })
const tooMany = { code: 'TOO_MANY_UNVERIFIED' }

test('P1: a hundred parallel posts make one row', async () => {
  const claim = { ...claimOf(`0x${'ab'.repeat(32)}`), keys: addressKeys('192.0.2.3') }
  const answers = await Promise.all(Array.from({ length: 100 }, () => claimPayment(own.db, claim)))
  expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1)
})

test('P12: the 21st unresolved hash of one address is refused, another address is not', async () => {
  for (let n = 1; n <= 20; n++) await post(n, '192.0.2.1')
  await expect(post(21, '192.0.2.1')).rejects.toMatchObject(tooMany)
  expect(await getClaim(own.db, hashOf(21))).toBeUndefined()
  expect(await post(22, '192.0.2.2')).toMatchObject({ isNew: true })
  expect(await post(23, '192.0.2.10')).toMatchObject({ isNew: true })
})

test('P12: the addresses of an IPv6 household count together, those of a /56 and a /48 up to a total', async () => {
  const postAll = async (from: number, count: number, address: (n: number) => string) => {
    for (let n = from; n < from + count; n++) await post(n, address(n))
  }
  await postAll(100, 20, (n) => `2001:db8:0:1::${n}`)
  await expect(post(120, '2001:db8:0:1:ffff::')).rejects.toMatchObject(tooMany)
  await postAll(121, 20, (n) => `2001:db8:0:${(n - 119).toString(16)}::1`)
  await expect(post(141, '2001:db8:0:ff::1')).rejects.toMatchObject(tooMany)
  await postAll(142, 40, (n) => `2001:db8:0:${(n * 256).toString(16)}::1`)
  await expect(post(182, '2001:db8:0:f001::1')).rejects.toMatchObject(tooMany)
  expect(await post(183, '2001:db8:1::1')).toMatchObject({ isNew: true })
})

test('P12: hashes that are looked up again count like new ones', async () => {
  for (let n = 200; n < 220; n++) await post(n, '192.0.2.20')
  await own.db.execute(
    sql`update claims set status = 'not_found', next_attempt_at = null, client_address = null where client_address = '192.0.2.20'`,
  )
  for (let n = 220; n < 240; n++) await post(n, '192.0.2.20')
  await expect(post(200, '192.0.2.20')).rejects.toMatchObject(tooMany)
  expect(await getClaim(own.db, hashOf(200))).toMatchObject({ status: 'not_found', nextAttemptAt: null })
  expect((await post(200, '192.0.2.21')).claim).toMatchObject({ status: 'received' })
})

test('what was given up a month ago is forgotten, and nothing else', async () => {
  for (let n = 300; n < 304; n++) await post(n, '192.0.2.30')
  await own.db.execute(sql`
    update claims set
      status = case transaction_hash when ${hashOf(303)} then 'received' else 'not_found' end,
      created_at = now() - case transaction_hash when ${hashOf(301)} then interval '29 days' else interval '31 days' end
    where client_address = '192.0.2.30' and transaction_hash <> ${hashOf(302)}`)
  expect(await purgeClaims(own.dbOf('worker'))).toBe(1)
  expect(await getClaim(own.db, hashOf(300))).toBeUndefined()
  for (const n of [301, 302, 303]) expect(await getClaim(own.db, hashOf(n))).toBeDefined()
})
