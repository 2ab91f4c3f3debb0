import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listAudit } from '../../db/admin/audit.ts'
import { admins, approvals, notifications } from '../../db/schema/index.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { type Body, codeOf, config, eachTwoOwners, other, wallet } from '../../e2e/lab/two-owners.ts'

const { adminApi, first, second, operator, walletNow, approve, refuse, list, askWallet, repeat } =
  eachTwoOwners()

test('another wallet takes the word of another owner, and is set once by who asked', async () => {
  const before = await walletNow()
  const id = await askWallet()
  expect(await askWallet()).toBe(id)
  expect(await walletNow()).toBe(before)
  expect((await list(second)).approvals).toMatchObject([
    {
      ...{ id, action: 'raffle.config', eventNumber: 1, askedBy: 'owner', isOwn: false, neededRole: 'owner' },
      ...{ before: { operatorWallet: before }, after: { operatorWallet: wallet } },
      ...{ approvedBy: null, request: null },
    },
  ])
  expect(codeOf(await approve(first, id))).toBe('OWN_REQUEST')
  expect(codeOf(await approve(operator, id))).toBe('FORBIDDEN_ROLE')
  expect(codeOf(await repeat())).toBe('SECOND_PERSON_REQUIRED')
  expect(codeOf(await approve(second, id))).toBe(200)
  expect(codeOf(await approve(second, id))).toBe('ALREADY_PROCESSED')
  expect(await walletNow()).toBe(before)

  // The word is for who asked: who gave it asks anew.
  await askWallet(second)
  const [mine] = (await list()).approvals
  expect(mine).toMatchObject({ id, isOwn: true, approvedBy: 'second' })
  const { method, path, body } = mine.request
  expect(codeOf(await first(method, path, body))).toBe(200)
  expect(await walletNow()).toBe(wallet)
  expect((await list()).approvals.filter((one: Body) => one.id === id)).toEqual([])
  // Back and forth again is another matter.
  await askWallet(first, { operatorWallet: before })
  expect(
    (await listAudit(adminApi.db, {}, 500)).map(({ action, actor, outcome, after }) => ({
      action,
      actor,
      outcome,
      after,
    })),
  ).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        action: 'raffle.config',
        outcome: '409',
        after: { refused: 'SECOND_PERSON_REQUIRED', approval: id },
      }),
      expect.objectContaining({
        action: 'approval.approve',
        actor: 'second',
        outcome: '200',
        after: expect.objectContaining({ approval: id, asked: 'raffle.config', askedBy: 'owner' }),
      }),
      expect.objectContaining({ action: 'raffle.config', actor: 'owner', outcome: '200' }),
    ]),
  )
})

test('channels are told who asks for a word, once an hour for the same action', async () => {
  const told = async () =>
    (await adminApi.db.select().from(notifications)).filter(({ kind }) => kind === 'word_wanted')
  const id = await askWallet()
  await askWallet()
  await refuse(first, id)
  await askWallet(first, { operatorWallet: other })
  expect(await told()).toMatchObject([
    { eventNumber: null, facts: { username: 'owner', action: 'raffle.config' } },
  ])
  await askWallet(second)
  expect(await told()).toMatchObject([{}, { facts: { username: 'second' } }])
})

test('how the body was written makes no difference, and what it says does', async () => {
  const id = await askWallet(first, { operatorWallet: wallet, minTicketsForDraw: 50 })
  await approve(second, id)
  const { approvals: waiting } = await list()
  expect(waiting).toHaveLength(1)
  for (const body of [
    { operatorWallet: other, minTicketsForDraw: 50 },
    { operatorWallet: wallet, minTicketsForDraw: 51 },
    { operatorWallet: wallet },
  ])
    expect(codeOf(await repeat(body))).toBe('SECOND_PERSON_REQUIRED')
  expect(codeOf(await repeat({ operatorWallet: wallet, minTicketsForDraw: 50, more: 1 }))).toBe(
    'UNKNOWN_FIELD',
  )
  expect(codeOf(await repeat({ minTicketsForDraw: 50, operatorWallet: wallet }))).toBe(200)
  expect(await walletNow()).toBe(wallet)
})

test('a word is void once the event has changed', async () => {
  const before = await walletNow()
  await approve(second, await askWallet())
  expect(codeOf(await repeat({ minTicketsForDraw: 70 }))).toBe(200)
  expect(codeOf(await repeat())).toBe('SECOND_PERSON_REQUIRED')
  expect(await walletNow()).toBe(before)
  // Of the two questions the newer one is left.
  expect((await list()).approvals).toMatchObject([{ approvedBy: null }])
})

test('a word is void once either of the two has lost his role, whatever he is made again', async () => {
  for (const username of ['second', 'owner']) {
    const id = await askWallet()
    await approve(second, id)
    // On the database, as the commands of the server do it.
    for (const role of ['operator', 'owner'] as const)
      await adminApi.db.update(admins).set({ role }).where(eq(admins.username, username))
    expect(await askWallet()).not.toBe(id)
  }
  const id = await askWallet()
  await approve(second, id)
  await adminApi.db.update(admins).set({ disabledAt: sql`now()` }).where(eq(admins.username, 'second'))
  expect(await askWallet()).not.toBe(id)
})

test('a word is good for a day, and no longer', async () => {
  const id = await askWallet()
  await approve(second, id)
  await withOtherPast(adminApi.db, (tx) =>
    tx.execute(
      sql`update approvals set asked_at = asked_at - interval '24 hours', ends_at = ends_at - interval '24 hours'`,
    ),
  )
  expect((await list()).approvals).toEqual([])
  expect(await askWallet()).not.toBe(id)
  expect(codeOf(await approve(second, id))).toBe('NOT_FOUND')
})

test('a question is refused by another or withdrawn by its own, also with the word given', async () => {
  const one = await askWallet()
  expect((await refuse(second, one)).body).toEqual({ id: one, closed: 'refused' })
  expect(codeOf(await approve(second, one))).toBe('NOT_FOUND')
  const two = await askWallet()
  await approve(second, two)
  expect((await refuse(first, two)).body).toEqual({ id: two, closed: 'withdrawn' })
  expect(await askWallet()).not.toBe(two)
})

test('of calls at once one spends the word', async () => {
  await approve(second, await askWallet(first, { operatorWallet: wallet, minTicketsForDraw: 60 }))
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => repeat({ operatorWallet: wallet, minTicketsForDraw: 60 })),
  )
  // The others find the wallet set: nothing is left that would need a word.
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  expect(await adminApi.db.select().from(approvals).where(sql`used_at is not null`)).toHaveLength(1)
  const changes = (await listAudit(adminApi.db, { action: 'raffle.config', outcome: '200' }, 50)) as Body[]
  expect(changes.filter(({ before, after }) => before.operatorWallet !== after.operatorWallet)).toHaveLength(
    1,
  )
})

test('the word is asked for with a fresh password, and given with one', async () => {
  const id = await askWallet()
  await adminApi.db.execute(sql`update sessions set fresh_at = now() - interval '11 minutes'`)
  expect(codeOf(await repeat())).toBe('REAUTH_REQUIRED')
  expect(codeOf(await approve(second, id))).toBe('REAUTH_REQUIRED')
})

test('what is refused anyway is never asked, and what needs no word goes on', async () => {
  expect(codeOf(await repeat({ operatorWallet: wallet, version: 9_999 }))).toBe('VERSION_CONFLICT')
  expect(codeOf(await operator('PATCH', config, { operatorWallet: wallet, minTicketsForDraw: 70 }))).toBe(
    'FORBIDDEN_ROLE',
  )
  expect(codeOf(await first('DELETE', '/api/admin/raffle/winner'))).toBe('NO_WINNER')
  expect(codeOf(await repeat({ minTicketsForDraw: 70 }))).toBe(200)
  expect((await list()).approvals).toEqual([])
})

test('no more than thirty questions of one administrator are open', async () => {
  for (let count = 1; count <= 30; count++)
    await askWallet(first, { operatorWallet: wallet, minTicketsForDraw: count })
  expect(codeOf(await repeat({ operatorWallet: wallet, minTicketsForDraw: 31 }))).toBe('RATE_LIMITED')
  expect((await list()).approvals).toHaveLength(30)
})
