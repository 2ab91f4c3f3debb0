import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { draws, prizeActs } from '../../db/schema/index.ts'
import { openClaims } from '../../e2e/lab/claims.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import { watchRefunds } from '../../worker/refund/refunds.ts'

const { adminApi, world, token, accountOf, ask, claim, signed, shown, toClaims } = await openClaims()
const say = (place: number, act: string, more: object = {}) =>
  adminApi.call('POST', '/api/admin/prizes', { token, body: { eventNumber: 1, place, act, ...more } })
const closed = { status: 409, body: { code: 'CLAIM_CLOSED' } }
const stepsOf = async (place: number) =>
  (await shown()).body[place - 1].steps.map(({ step }: { step: string }) => step)

beforeAll(async () => {
  await toClaims()
  expect((await claim(await signed((await ask()).message))).status).toBe(200)
})

test('claimed goods are sent and delivered by an administrator’s word; the parcel’s number is not public', async () => {
  expect(await say(3, 'sent')).toMatchObject({ status: 404 })
  expect(await say(2, 'sent')).toMatchObject(closed)
  expect(await say(1, 'delivered')).toMatchObject(closed)
  expect(await say(1, 'lost')).toMatchObject({ status: 422, body: { field: 'act' } })
  expect(await say(1, 'sent', { tracking: 'CJ 123' })).toMatchObject({
    ...{ status: 200, body: { state: 'sent', tracking: 'CJ 123', steps: [{}, {}, { step: 'sent' }] } },
  })
  expect(JSON.stringify((await shown()).body)).not.toContain('CJ 123')
  // The number was wrong: it is changed as often as needed, and no step tells of it.
  expect((await say(1, 'sent', { tracking: 'CJ 124' })).body).toMatchObject({
    ...{ tracking: 'CJ 124', steps: [{}, {}, { step: 'sent' }] },
  })
  // The code is shown again, and nothing changes.
  expect((await claim(await signed((await ask()).message))).status).toBe(200)
  expect(await say(1, 'delivered')).toMatchObject({ status: 200, body: { state: 'delivered' } })
  expect(await say(1, 'sent')).toMatchObject({ body: { code: 'ALREADY_PROCESSED' } })
  expect(await stepsOf(1)).toEqual(['drawn', 'claimed', 'sent', 'delivered'])
})

test('what was wrongly said is taken back in public, with a date and a reason, and sent again; nothing of it is deleted', async () => {
  const { message, walletAddress } = await ask('?place=2')
  expect((await claim({ ...(await signed(message, accountOf(walletAddress))), place: 2 })).status).toBe(200)
  const correct = (reason?: string) => say(2, 'corrected', { reason })
  expect(await correct('The parcel came back.')).toMatchObject(closed)
  expect((await say(2, 'sent', { tracking: 'CJ 900' })).status).toBe(200)
  for (const reason of ['', '   ', undefined, 'x'.repeat(201)])
    expect([reason, await correct(reason)]).toMatchObject([
      reason,
      { status: 422, body: { field: 'reason' } },
    ])
  expect(await correct('The parcel came back.')).toMatchObject({
    ...{ status: 200, body: { state: 'claimed', tracking: null, holder: { walletAddress } } },
  })
  expect((await shown()).body[1].steps.at(-1)).toMatchObject({ reason: 'The parcel came back.' })
  expect(await correct('Twice.')).toMatchObject(closed)
  expect((await say(2, 'sent', { tracking: 'CJ 901' })).body).toMatchObject({ state: 'sent' })
  expect(await stepsOf(2)).toEqual(['drawn', 'claimed', 'sent', 'corrected', 'sent'])
  await expect(world.db.delete(prizeActs)).rejects.toThrow()
  const audit = (await adminApi.call('GET', '/api/admin/audit', { token })).body
  expect(JSON.stringify(audit)).toContain('prize.said')
})

test('no claim while payments or register have not been read for ten minutes, or not since the draw: a turn would not end', async () => {
  const notRead = { status: 503, body: { code: 'NOT_FINAL' } }
  await watchRefunds({ ...world.deps, refundMinUnits: 1n })
  const word = await signed((await ask()).message)
  for (const cursor of ['payments', 'outgoing']) {
    const shift = (by: string) =>
      world.db.execute(
        sql.raw(
          `update cursors set block_time = block_time ${by} interval '11 minutes' where name = '${cursor}'`,
        ),
      )
    await shift('-')
    expect(await claim(word)).toMatchObject(notRead)
    await shift('+')
  }
  const drawnAt = (moment: string) =>
    withOtherPast(world.db, (tx) => tx.execute(sql.raw(`update draws set turns_from = ${moment}`)))
  const [{ from = '' } = {}] = await world.db.execute<{ from: string }>(
    sql`select turns_from::text as from from draws`,
  )
  await drawnAt("(select block_time + interval '1 second' from cursors where name = 'outgoing')")
  expect(await claim(word)).toMatchObject(notRead)
  await drawnAt(`'${from}'`)
  expect((await claim(word)).status).toBe(200)
})

test('a clear hides the announcement alone: prizes are told and claimed as before', async () => {
  await withOtherPast(world.db, (tx) => tx.update(draws).set({ drawnAt: fromNow(-20) }))
  expect((await adminApi.call('DELETE', '/api/admin/raffle/winner', { token })).status).toBe(200)
  expect((await shown()).body).toMatchObject([{ place: 1, state: 'delivered' }, { place: 2 }])
  const { walletAddress, message } = await ask('?place=2')
  const word = await signed(message, accountOf(walletAddress))
  expect(await claim({ ...word, place: 2 })).toMatchObject({ status: 200 })
})
