import { sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { expect, test } from 'vitest'
import { addressKeys } from '../../core/address-list.ts'
import { alice, foldTo, openEvent, paid } from '../../e2e/lab/ledger-story.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { claimPayment, getClaim, purgeClaims } from './claims.ts'

const own = await forFile(usedDb())

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

test('a hash whose payment is on record is answered at once with how it ended, and counts for nobody', async () => {
  const event = await openEvent(own.db)
  const found = [6_00, 1_00].map((cents, index) => paid(event, { block: 2, cents, index }))
  await foldTo(own.db, event, 3, found)
  const keys = addressKeys('192.0.2.40')
  const answers = []
  for (const { transactionHash } of found)
    answers.push(await claimPayment(own.db, { ...claimOf(transactionHash), keys }))
  expect(answers).toEqual([
    { isNew: true, claim: { status: 'credited', isDue: false } },
    { isNew: true, claim: { status: 'rejected', isDue: false } },
  ])
  expect(await getClaim(own.db, found[1]?.transactionHash as Hash)).toMatchObject({
    ...{ status: 'rejected', reason: 'underpaid', nextAttemptAt: null, clientAddress: null },
    ...{ walletAddress: alice, quantity: 33, amount: 9900 },
  })
  for (let n = 400; n < 420; n++) await post(n, '192.0.2.40')
  await expect(post(420, '192.0.2.40')).rejects.toMatchObject(tooMany)
  // Over the limit what is known is answered still, also a hash whose payment is on record.
  const more = paid(event, { block: 4, cents: 9_00 })
  await foldTo(own.db, event, 4, [more])
  expect(await post(419, '192.0.2.40')).toMatchObject({ isNew: false, claim: { status: 'received' } })
  expect(await claimPayment(own.db, { ...claimOf(more.transactionHash), keys })).toMatchObject({
    ...{ isNew: true, claim: { status: 'credited', isDue: false } },
  })
})

test('the second post of a hash changes nothing, whatever it hints', async () => {
  await post(500, '192.0.2.50')
  const before = await getClaim(own.db, hashOf(500))
  const again = { transactionHash: hashOf(500), walletAddress: 'another', quantity: 1, amount: 1 }
  expect(await claimPayment(own.db, { ...again, keys: addressKeys('192.0.2.51') })).toEqual({
    ...{ isNew: false, claim: { status: 'received', isDue: true } },
  })
  expect(await getClaim(own.db, hashOf(500))).toEqual(before)
})

test('it waits for whoever counts for the same /48, so that also with a release that asks step by step nobody has more', async () => {
  const keys = addressKeys('2001:db8:77::1')
  const waiting = { isOver: false }
  let posted: Promise<unknown> = Promise.resolve()
  await own.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`claims ${keys.at(-1)?.key}`}))`)
    posted = post(600, '2001:db8:77:1::5').then(() => {
      waiting.isOver = true
    })
    await expect(post(601, '2001:db8:78::5')).resolves.toMatchObject({ isNew: true })
    expect(waiting.isOver).toBe(false)
  })
  await posted
  expect(waiting.isOver).toBe(true)
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
