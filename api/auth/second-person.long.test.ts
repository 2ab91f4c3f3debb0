import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { listAudit } from '../../db/admin/audit.ts'
import { admins, approvals } from '../../db/schema/index.ts'
import { openAdminApi } from '../../e2e/lab/admin-api.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Body }>
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Body = any

/** A wallet that nobody has named yet. */
const wallet = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
/** Of the two administrators besides the owner. */
const password = 'another horse battery'
const config = '/api/admin/raffle/config'
/** The code of a refusal, or the status. */
const codeOf = ({ status, body }: { status: number; body: Body }) => body.code ?? status

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

test('what is refused anyway is never asked, and what needs no word goes on', async () => {
  expect(codeOf(await repeat({ operatorWallet: wallet, version: 9_999 }))).toBe('VERSION_CONFLICT')
  expect(codeOf(await operator('PATCH', config, { operatorWallet: wallet, minTicketsForDraw: 70 }))).toBe(
    'FORBIDDEN_ROLE',
  )
  expect(codeOf(await first('DELETE', '/api/admin/raffle/winner'))).toBe('NO_WINNER')
  expect(codeOf(await repeat({ minTicketsForDraw: 70 }))).toBe(200)
  expect((await list()).approvals).toEqual([])
})

/** Two owners and an operator before each test, with TWO_PERSON on; `first` asks for the word of `second`. */
function eachTwoOwners() {
  const adminApi = forEachTest(() => openAdminApi({ admin: { twoPerson: true } }))
  let calls: { first: Ask; second: Ask; operator: Ask }
  beforeEach(async () => {
    await adminApi.addAdmin('second', password)
    await adminApi.addAdmin('operator', password, 'operator')
    calls = {
      first: adminApi.as(await adminApi.login()),
      second: adminApi.as(await adminApi.login({ username: 'second', password })),
      operator: adminApi.as(await adminApi.login({ username: 'operator', password })),
    }
  })
  const first: Ask = (...call) => calls.first(...call)
  const second: Ask = (...call) => calls.second(...call)
  const operator: Ask = (...call) => calls.operator(...call)

  const walletNow = async () => (await first('GET', config)).body.operatorWallet
  const approve = (by: Ask, id: number) => by('POST', `/api/admin/approvals/${id}/approve`)
  const refuse = (by: Ask, id: number) => by('POST', `/api/admin/approvals/${id}/refuse`)
  const list = async (by: Ask = first) => (await by('GET', '/api/admin/approvals')).body
  const askWallet = async (by: Ask = first, body: object = { operatorWallet: wallet }): Promise<number> => {
    const asked = await by('PATCH', config, body)
    expect([asked.status, asked.body.code]).toEqual([409, 'SECOND_PERSON_REQUIRED'])
    return asked.body.approvalId
  }
  const repeat = (body: object = { operatorWallet: wallet }) => first('PATCH', config, body)
  return { adminApi, first, second, operator, walletNow, approve, refuse, list, askWallet, repeat }
}
