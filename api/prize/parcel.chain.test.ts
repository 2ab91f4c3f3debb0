import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { turnPrizes } from '../../db/prize/turns.ts'
import { draws, prizes } from '../../db/schema/index.ts'
import { openClaims } from '../../e2e/lab/claims.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'

const { adminApi, world, token, accountOf, ask, claim, signed, shown, toClaims } = await openClaims()

beforeAll(async () => {
  await toClaims()
  expect((await claim(await signed((await ask()).message))).status).toBe(200)
})

test('a parcel is sent for what was claimed, and only the holder’s receipt says that it has come', async () => {
  const receipt = '/api/raffle/claim/1/receipt'
  const closed = { status: 409, body: { code: 'CLAIM_CLOSED' } }
  expect(await adminApi.call('GET', receipt)).toMatchObject(closed)
  const ship = (body: object) => adminApi.call('POST', '/api/admin/prizes/shipped', { token, body })
  expect(await ship({ eventNumber: 1, place: 3 })).toMatchObject({ status: 404 })
  expect(await ship({ eventNumber: 1, place: 1, tracking: 'CJ 123' })).toMatchObject({
    status: 200,
    body: { state: 'shipped', tracking: 'CJ 123', steps: [{}, {}, { step: 'shipped' }] },
  })
  expect(JSON.stringify((await shown()).body)).not.toContain('CJ 123')
  // The number was wrong: it is changed as often as needed, and no step tells of it.
  expect((await ship({ eventNumber: 1, place: 1, tracking: 'CJ 124' })).body).toMatchObject({
    ...{ tracking: 'CJ 124', steps: [{}, {}, { step: 'shipped' }] },
  })
  const { message } = (await adminApi.call('GET', receipt)).body
  expect(message).toContain('I have received the prize of raffle event 1: place 1 of 2')
  const post = (body: unknown) => adminApi.call('POST', '/api/raffle/claim/receipt', { body })
  expect(await claim(await signed(message))).toMatchObject({ body: { code: 'CLAIM_MISMATCH' } })
  const word = await signed(message)
  const shift = (by: string) =>
    world.db.execute(sql`update scan_cursor set block_time = block_time ${sql.raw(by)} interval '11 minutes'`)
  await shift('-')
  expect(await post(word)).toMatchObject({ status: 503, body: { code: 'NOT_FINAL' } })
  await shift('+')
  expect(await post(word)).toMatchObject({ status: 200, body: { place: 1, state: 'delivered' } })
  expect(await post(word)).toMatchObject({ status: 409, body: { code: 'CLAIM_USED' } })
  const again = await signed((await adminApi.call('GET', receipt)).body.message)
  expect(await post(again)).toMatchObject({ status: 200, body: { state: 'delivered' } })
  expect(await ship({ eventNumber: 1, place: 1 })).toMatchObject({ body: { code: 'ALREADY_PROCESSED' } })
  const { body } = await shown()
  expect(body[0].steps.map(({ step }: { step: string }) => step)).toEqual([
    ...['drawn', 'claimed', 'shipped', 'delivered'],
  ])
})

test('what was wrongly said to be sent is taken back in public, with a date and a reason, and sent again; nothing of it is deleted', async () => {
  const call = (path: string, body: object) =>
    adminApi.call('POST', `/api/admin/prizes/${path}`, { token, body })
  const two = { eventNumber: 1, place: 2 }
  const correct = (reason: unknown, place = 2) => call('corrected', { eventNumber: 1, place, reason })
  const { message, walletAddress } = await ask('?place=2')
  expect((await claim({ ...(await signed(message, accountOf(walletAddress))), place: 2 })).status).toBe(200)
  expect(await correct('The parcel came back.')).toMatchObject({
    status: 409,
    body: { code: 'CLAIM_CLOSED' },
  })
  expect(await correct('It has come.', 1)).toMatchObject({ status: 409, body: { code: 'ALREADY_PROCESSED' } })
  expect(await correct('Unknown.', 3)).toMatchObject({ status: 404 })
  expect((await call('shipped', { ...two, tracking: 'CJ 900' })).status).toBe(200)
  for (const reason of ['', '   ', undefined, 'x'.repeat(201)])
    expect([reason, await correct(reason)]).toMatchObject([
      reason,
      { status: 422, body: { field: 'reason' } },
    ])
  // No program takes it back in silence.
  await expect(world.db.update(prizes).set({ state: 'claimed' }).where(eq(prizes.place, 2))).rejects.toThrow()
  expect(await correct('The parcel came back.')).toMatchObject({
    ...{ status: 200, body: { state: 'claimed', tracking: null, holder: { walletAddress } } },
  })
  const told = async () => (await shown()).body[1]
  expect(await told()).toMatchObject({
    state: 'claimed',
    steps: [
      {},
      { step: 'claimed', reason: null },
      { step: 'shipped' },
      { step: 'corrected', reason: 'The parcel came back.' },
    ],
  })
  expect(await correct('Twice.')).toMatchObject({ body: { code: 'CLAIM_CLOSED' } })
  // Whose it is stays, and no receipt of what was not sent counts.
  await world.db.transaction((tx) => turnPrizes(tx, 1))
  expect((await told()).steps).toHaveLength(4)
  expect((await adminApi.call('GET', '/api/raffle/claim/1/receipt?place=2')).body).toMatchObject({
    code: 'CLAIM_CLOSED',
  })
  expect((await call('shipped', { ...two, tracking: 'CJ 901' })).body).toMatchObject({ state: 'shipped' })
  const times = (await told()).steps.map(({ at }: { at: string }) => at)
  expect(times).toEqual(times.toSorted())
  const audit = (await adminApi.call('GET', '/api/admin/audit', { token })).body
  expect(JSON.stringify(audit)).toContain('prize.corrected')
})

test('a clear hides the announcement alone: prizes are told and claimed as before', async () => {
  const clear = () => adminApi.call('DELETE', '/api/admin/raffle/winner', { token })
  await withOtherPast(world.db, (tx) => tx.update(draws).set({ drawnAt: fromNow(-20) }))
  expect((await clear()).status).toBe(200)
  expect((await shown()).body).toMatchObject([{ place: 1, state: 'delivered' }, { place: 2 }])
  const { walletAddress, message } = await ask('?place=2')
  const word = await signed(message, accountOf(walletAddress))
  expect(await claim({ ...word, place: 2 })).toMatchObject({ status: 200 })
})
